import { ApiError } from '../api-error.js';
import { type ActionCall } from '../actions.js';
import { ApprovalDeclinedError } from '../approvals.js';
import { endsApproval } from '../approved-calls.js';
import { type Drawbridge } from '../client.js';
import { inputSchema } from '../generate.js';
import { type Integration, type RequiredApproval } from '../gen/models.js';
import { type JsonSchema } from '../json-schema.js';
import { type Call, type Command, UsageError } from './command.js';
import { type Flags, type FlagSpec, isSet, readFlags, valueOf } from './flags.js';
import { EVERYWHERE, helpOfCommand } from './help.js';
import { fieldFlags, readInput } from './input-flags.js';
import { table, toJson } from './output.js';
import { withFlags } from './refused-fields.js';
import { suggestion } from './suggest.js';
import { WORKSPACE, workspaceIdOf } from './workspace.js';

const FLAGS: readonly FlagSpec[] = [
  WORKSPACE,
  { name: 'end-user', value: 'ID', text: 'Your id of the end user, for connections of end users.' },
  { name: 'alias', value: 'NAME', text: 'The alias of the configured integration.' },
  {
    name: 'connection',
    value: 'ID',
    text: 'Your id of the connection. By default the configured integration selects it.',
  },
  { name: 'idempotency-key', value: 'KEY', text: 'Runs the action once for one key.' },
  {
    name: 'input',
    value: 'JSON',
    text: 'The whole input: an object, @file.json, or - for stdin. Flags of fields override it.',
  },
];

export const run: Command = {
  name: 'run',
  usage: '<integration>[.<action>] [fields]',
  summary: 'Run an action; without an action, list them',
  flags: FLAGS,
  readsFlags: true,
  notes: [
    '`drawbridge run github.create_issue --help` shows the fields of an action. A list is repeated: --label a --label b.',
    'If the action needs an approval, the command prints the link and waits. Ctrl+C stops waiting.',
  ],
  async run(call: Call) {
    const { args, flags, output, signal } = call;
    const [target] = readFlags(args, [...FLAGS, ...EVERYWHERE], { isUntilFirst: true }).positionals;
    if (target === undefined) {
      if (isSet(flags, 'help')) return output.print({ help: helpOfCommand(run) }, helpOfCommand(run));
      throw new UsageError(
        'Name an integration or an action: `drawbridge run github`, `drawbridge run github.create_issue`',
      );
    }
    const client = await call.client();
    const [name = '', ...rest] = target.split('.');
    const integration = await integrationOf(client, name, signal);
    if (rest.length > 0) return runAction({ ...call, client, integration, action: rest.join('.'), target });
    requireNoMore(call, target);
    listActions(call, integration);
  },
};

/** Throws UsageError with the nearest name for an unknown integration. */
async function integrationOf(client: Drawbridge, name: string, signal: AbortSignal): Promise<Integration> {
  try {
    return (await client.integrations.get(name, { signal })).integration;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'INTEGRATION_NOT_FOUND') throw error;
    const { integrations } = await client.integrations.listSummaries({ signal });
    const names = integrations.map((one) => one.name);
    throw new UsageError(`The instance has no integration ${name}.${suggestion(name, names)}`);
  }
}

function requireNoMore({ args }: Call, target: string): void {
  const { positionals } = readFlags(args, [...FLAGS, ...EVERYWHERE]);
  if (positionals.length > 1)
    throw new UsageError(`Unexpected argument ${positionals[1]}: write ${target}.ACTION for an action`);
}

function listActions({ output }: Call, { name, actions }: Integration): void {
  const rows = Object.entries(actions).map(([action, { description }]) => ({
    action: `${name}.${action}`,
    description,
  }));
  output.print({ actions: rows }, table(rows.map(({ action, description }) => [action, description])));
}

interface ActionRun extends Omit<Call, 'client'> {
  client: Drawbridge;
  integration: Integration;
  action: string;
  target: string;
}

async function runAction(call: ActionRun): Promise<void> {
  const { args, output, integration, action, target } = call;
  const schema = await schemaOf(integration, action);
  const taken = [...FLAGS, ...EVERYWHERE];
  const fields = fieldFlags(schema, taken);
  const { positionals, flags } = readFlags(args, [...taken, ...fields]);
  if (positionals.length > 1)
    throw new UsageError(`Unexpected argument ${positionals[1]}: values follow the flag of their field`);
  if (isSet(flags, 'help')) return showAction(call, fields);
  const input = await readInput(schema, fields, flags);
  const result = await execute(call, { ...calledBy(call, flags), input }, flags).catch((error: unknown) => {
    throw withFlags(error, target, fields, schema);
  });
  output.print(result, toJson(result.output, 2));
}

/**
 * Returns the schema of an input. The catalog of the instance defines the fields. For a field that accepts any JSON, the built-in schema of this
 * package is more specific, if the action is built in.
 */
async function schemaOf({ name, actions }: Integration, action: string): Promise<JsonSchema> {
  if (!Object.hasOwn(actions, action)) {
    const names = Object.keys(actions);
    throw new UsageError(
      `${name} has no action ${action}.${suggestion(action, names)} Run \`drawbridge run ${name}\` for the list.`,
    );
  }
  const schema = inputSchema(actions[action]!.props);
  const { SCHEMAS } = await import('../gen/schemas.js');
  const builtIn = Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name]!.actions : {};
  const known = Object.hasOwn(builtIn, action) ? (builtIn[action]!.schema.properties ?? {}) : {};
  const properties = Object.entries(schema.properties ?? {}).map(([field, property]) => {
    const isOpen = !property.type && !property.enum && Object.hasOwn(known, field);
    return [field, isOpen ? { ...known[field], ...property } : property] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function showAction({ output, integration, action, target }: ActionRun, fields: readonly FlagSpec[]): void {
  const { description, displayName } = integration.actions[action]!;
  const help = helpOfCommand({
    ...run,
    name: `run ${target}`,
    usage: '[fields]',
    summary: (description || displayName).replace(/\.$/, ''),
    flags: [...fields, ...FLAGS],
  });
  output.print({ help, fields }, help);
}

function calledBy({ integration, action }: ActionRun, flags: Flags): ActionCall {
  return {
    integrationName: integration.name,
    actionName: action,
    endUserId: valueOf(flags, 'end-user'),
    integrationAlias: valueOf(flags, 'alias'),
    connectionExternalId: valueOf(flags, 'connection'),
    idempotencyKey: valueOf(flags, 'idempotency-key'),
  };
}

async function execute({ client, output, signal }: ActionRun, action: ActionCall, flags: Flags) {
  const workspaceId = await workspaceIdOf(client, valueOf(flags, 'workspace'), signal);
  let asked: RequiredApproval | undefined;
  const onApprovalRequired = (approval: RequiredApproval): void => {
    asked = approval;
    const link = approval.hostedApprovalUrl ?? approval.approvalUrl ?? `approval ${approval.id}`;
    output.note(
      `The action needs an approval, until ${approval.expiresAt}:\n  ${link}\nWaiting. Ctrl+C stops waiting.`,
    );
  };
  try {
    return await client.executeWithApproval({ ...action, workspaceId }, { onApprovalRequired, signal });
  } catch (error) {
    if (asked && !(error instanceof ApprovalDeclinedError) && !endsApproval(error)) {
      output.note(
        `Approval ${asked.id} stays valid. To use it, run the command with --idempotency-key ${asked.retry.idempotencyKey}`,
      );
    }
    throw error;
  }
}
