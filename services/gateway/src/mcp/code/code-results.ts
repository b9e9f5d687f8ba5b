import { cutText } from '@drawbridge/contracts';
import {
  type CodeCall,
  type CodeConsoleLine,
  type CodeFailed,
  type CodeRunResult,
  type CodeWaiting,
} from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { shownApproval } from '../../rest/shown-approval.js';
import { type LinkedApproval, PART_CHARACTERS, type ToolResult, toWaiting, urlOf } from '../results.js';
import { EXECUTE } from './code-tools.js';
import { truncateJson } from './truncate-json.js';

const MAX_CONSOLE = 20_000;
const MAX_MESSAGE = 10_000;
/** Maximum number of calls that the text of a failure lists. The structured result contains all of them. */
const MAX_NAMED_CALLS = 100;

/** Returns the absolute URL of a path. */
type Address = (path: string) => string;

/** Converts the result of a run for an agent. An error of the program is a result, too. */
export function toCodeResult(run: CodeRunResult, address: Address): ToolResult {
  const { result } = run;
  switch (result?.$case) {
    case 'completed':
      return withConsole(toValue(result.value.valueJson), run.console);
    case 'failed':
      return withConsole(toFailure(run, result.value), run.console);
    case 'waiting':
      return withConsole(toWaitingRun(result.value, address), run.console);
    case 'ready':
    case undefined:
      throw new Error('execution returned no result of a run');
  }
}

function toValue(valueJson: string | undefined): ToolResult {
  if (valueJson === undefined) return { content: [text('The program returned nothing.')] };
  if (valueJson.length <= PART_CHARACTERS) return { content: [text(valueJson)] };
  const note = `The value was truncated: it has ${valueJson.length} characters of JSON, and a result has at most ${PART_CHARACTERS}. Run a program that returns less: only the fields and items that you need.`;
  return { content: [text(truncateJson(valueJson, PART_CHARACTERS)), text(note)] };
}

function toFailure({ calls, codeRunId }: CodeRunResult, failed: CodeFailed): ToolResult {
  const { code, line, column, details } = failed;
  const message = cutText(failed.message, MAX_MESSAGE);
  const at = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  const made = calls.map(({ path, status, executionId }) => ({ call: path, status, executionId }));
  const structured = { error: message, code, details: { ...details, line, column, codeRunId, calls: made } };
  const said = [`${code}: ${message}${at}`, madeText(calls)].filter(Boolean).join('\n');
  return { content: [text(said)], structuredJson: JSON.stringify(structured), isError: true };
}

function madeText(calls: readonly CodeCall[]): string {
  if (calls.length === 0) return 'No calls were made.';
  const named = calls.slice(0, MAX_NAMED_CALLS).map(({ path, status }) => `${path}: ${status}`);
  const more = calls.length > MAX_NAMED_CALLS ? [`and ${calls.length - MAX_NAMED_CALLS} more`] : [];
  return `The program made these calls. Do not repeat those that succeeded:\n${[...named, ...more].join('\n')}`;
}

/** Returns the pending approvals with absolute links, in the order in which they must be decided. */
export function approvalsOf({ approvals }: CodeWaiting, address: Address): LinkedApproval[] {
  return approvals.map((approval) => shownApproval(address, approval));
}

function toWaitingRun(waiting: CodeWaiting, address: Address): ToolResult {
  const approvals = approvalsOf(waiting, address);
  const [next] = approvals;
  if (!next) throw new Error('execution returned a waiting run without an approval');
  return toWaiting({
    status: waiting.isNew ? 'approval_required' : 'approval_pending',
    title: waiting.isNew ? 'A person must approve this run first' : 'A person must still approve this run',
    description: describe(next, approvals.length),
    approvals,
    continuation: { tool: EXECUTE, arguments: { approvalId: next.id } },
  });
}

function describe(next: LinkedApproval, count: number): string {
  const several = count > 1 ? `${count} approvals are pending; this is the next one. ` : '';
  const url = urlOf(next);
  const ask = `${url ? `Ask the person to decide at ${url}` : 'Ask the person to decide'} before ${next.expiresAt}`;
  return `The run is paused and keeps its state. ${several}${ask}; then call ${EXECUTE} with the arguments below, without the code.`;
}

function withConsole(result: ToolResult, lines: readonly CodeConsoleLine[]): ToolResult {
  if (lines.length === 0) return result;
  const output = lines.map((line) => `[${line.level}] ${line.text}`).join('\n');
  const cut = output.length > MAX_CONSOLE ? '\n… The console output was truncated. Log less.' : '';
  return { ...result, content: [...result.content, text(`Console:\n${cutText(output, MAX_CONSOLE)}${cut}`)] };
}

const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
