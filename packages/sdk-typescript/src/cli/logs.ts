import { type Drawbridge } from '../client.js';
import { NotFoundError } from '../gen/errors.js';
import { type Execution } from '../gen/models.js';
import { type Call, type Command, UsageError } from './command.js';
import { type Flags, isSet, requireOneOf, valueOf } from './flags.js';
import { follow, NewItems } from './follow.js';
import { line, type Output } from './output.js';
import { RunningExecutions } from './running-executions.js';
import { suggestion } from './suggest.js';
import { WORKSPACE, workspaceIdOf } from './workspace.js';

const STATUSES = ['running', 'success', 'failed'];
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;
/** Maximum number of executions that a search reads. The API filters only by workspace, so a rare integration would require the whole log. */
const MAX_SEARCHED = 5_000;
const PAGE = 100;
const PAUSE_MS = 2_000;
/**
 * The longest time after which an execution can appear behind newer ones, because the log sorts by the start but lists some executions only at their
 * end. An action may take six minutes; two more minutes cover the time between two deep polls.
 */
const LONGEST_MS = 8 * 60_000;

export const logs: Command = {
  name: 'logs',
  usage: '[--follow]',
  summary: 'List executions, the newest last',
  flags: [
    { ...WORKSPACE, text: 'Only executions of this workspace: its id or slug.' },
    { name: 'integration', value: 'NAME', text: 'Only executions of this integration.' },
    { name: 'status', value: STATUSES.join('|'), text: 'Only executions with this status.' },
    { name: 'limit', value: 'NUMBER', text: `At most so many, ${DEFAULT_LIMIT} by default.` },
    { name: 'follow', text: 'Continue with new executions until Ctrl+C. A running one is printed again when it ends.' },
  ],
  async run({ args, flags, output, signal, client: open }: Call) {
    if (args.length > 0) throw new UsageError(`Unexpected argument ${args[0]}: logs takes flags only`);
    const limit = limitOf(flags);
    const status = requireOneOf(flags, 'status', STATUSES);
    const client = await open();
    const integration = await requireIntegration(client, valueOf(flags, 'integration'), signal);
    const workspace = valueOf(flags, 'workspace');
    const workspaceId = workspace === undefined ? undefined : await workspaceIdOf(client, workspace, signal);
    const running = new RunningExecutions((id) => executionOf(client, id, signal));
    const list = () => running.watch(client.executions.list({ workspaceId, limit: PAGE }, { signal }));
    const isWanted = (one: Execution): boolean =>
      (!integration || one.integrationName === integration) && (!status || one.status === status);
    if (!isSet(flags, 'follow')) return printAll(await latest(list(), { limit, isWanted, output }), output);
    const items = new NewItems(list, LONGEST_MS, (text) => output.note(text));
    await items.start();
    const first = await latest(list(), { limit, isWanted, output });
    items.skip(first);
    const show = (one: Execution): void => {
      running.add(one);
      if (isWanted(one)) output.printColored(one, rowOf(one, output));
    };
    first.forEach(show);
    const look = async (): Promise<boolean> => {
      const found = await items.next();
      found.forEach(show);
      let isFound = found.length > 0;
      for await (const one of running.ended()) {
        show(one);
        isFound = true;
      }
      return isFound;
    };
    await follow(look, { signal, output, pauseMs: PAUSE_MS });
  },
};

function limitOf(flags: Flags): number {
  const text = valueOf(flags, 'limit') ?? String(DEFAULT_LIMIT);
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new UsageError(`--limit must be a number from 1 to ${MAX_LIMIT} (got ${text})`);
}

/** Executions of a removed integration stay in the log. A name is therefore rejected only if it resembles the name of an existing integration. */
async function requireIntegration(client: Drawbridge, name: string | undefined, signal: AbortSignal) {
  if (name === undefined) return undefined;
  const { registered } = await client.integrations.listSummaries({ signal });
  const meant = registered.includes(name) ? '' : suggestion(name, registered);
  if (meant !== '') throw new UsageError(`The instance has no integration ${name}.${meant}`);
  return name;
}

interface Wanted {
  limit: number;
  isWanted(one: Execution): boolean;
  output: Output;
}

/** Returns the newest `limit` executions that match the flags, the oldest of them first. */
async function latest(list: AsyncIterable<Execution>, { limit, isWanted, output }: Wanted): Promise<Execution[]> {
  const found: Execution[] = [];
  let searched = 0;
  for await (const one of list) {
    if (isWanted(one)) found.push(one);
    if (found.length >= limit) break;
    if (++searched >= MAX_SEARCHED) {
      output.note(`Only the newest ${MAX_SEARCHED} executions were searched.`);
      break;
    }
  }
  return found.reverse();
}

function printAll(executions: readonly Execution[], output: Output): void {
  if (output.isJson) return output.print({ executions }, '');
  for (const one of executions) output.printColored(one, rowOf(one, output));
  if (executions.length === 0) output.note('No executions.');
}

const COLORS = { running: 'yellow', success: 'green', failed: 'red' } as const;
const NAME_WIDTH = 36;

function rowOf(one: Execution, output: Output): string {
  const { createdAt, status, integrationName, actionName, durationMs, id, error } = one;
  const name = line(`${integrationName}.${actionName}`).padEnd(NAME_WIDTH);
  const took = status === 'running' ? '' : `${durationMs} ms`;
  const problem = error ? `  ${line(error.message)}` : '';
  const shownStatus = output.color(line(status).padEnd(7), COLORS[status] ?? 'bold');
  return `${line(createdAt)}  ${shownStatus}  ${name}  ${took.padStart(9)}  ${line(id)}${problem}`;
}

/** Returns undefined if the execution was deleted. */
async function executionOf(client: Drawbridge, id: string, signal: AbortSignal): Promise<Execution | undefined> {
  try {
    return (await client.executions.get(id, { signal })).execution;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
