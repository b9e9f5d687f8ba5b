import { type Call, type Command, UsageError } from './command.js';
import { valueOf } from './flags.js';
import { table } from './output.js';
import { WORKSPACE, workspaceIdOf } from './workspace.js';

const MAX_TRIGGERS = 1_000;

export const listTriggers: Command = {
  name: 'triggers list',
  usage: '',
  summary: 'List the enabled triggers',
  flags: [{ ...WORKSPACE, text: 'Only triggers of this workspace: its id or slug.' }],
  async run({ args, flags, output, signal, client: open }: Call) {
    if (args.length > 0) throw new UsageError(`Unexpected argument ${args[0]}: triggers list takes flags only`);
    const client = await open();
    const given = valueOf(flags, 'workspace');
    const workspaceId = given === undefined ? undefined : await workspaceIdOf(client, given, signal);
    const triggers = await client.triggers.list({ workspaceId, limit: 100 }, { signal }).toArray(MAX_TRIGGERS);
    if (triggers.length === 0) output.note('No triggers.');
    if (triggers.length === 0 && !output.isJson) return;
    const rows = triggers.map((one) => [
      one.id,
      `${one.integrationName}.${one.triggerName}`,
      one.triggerType,
      one.createdAt,
      one.callbackUrl ?? 'no callback',
    ]);
    output.print({ triggers }, table(rows));
  },
};
