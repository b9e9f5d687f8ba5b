import { ApiError } from '@drawbridge/contracts';
import { members as service } from '@drawbridge/members';
import { openAdmin } from '@drawbridge/members/admin';
import { readConfig } from '@drawbridge/rpc';
import { Command, type CommanderError } from 'commander';
import { requireValidOptions } from './admin-input.js';
import { connectToServer } from './database.js';
import { VARIABLES } from './variables.js';

type Admin = Awaited<ReturnType<typeof openAdmin>>;

/** `drawbridge admin`: each command prints one JSON document; a failure is `{error, code, details}` and exit code 1. */
export function adminCommand(): Command {
  const admin = new Command('admin').description('What an operator does, whether the product runs or not.');

  addOrganizations(admin);

  const user = admin.command('user').description('people who sign in');
  user
    .command('create')
    .requiredOption('--email <email>')
    .requiredOption('--password <password>')
    .option('--name <name>')
    .action((options) => print(options, (members) => members.createUser(options)));

  const key = admin.command('key').description('API keys');
  key
    .command('create')
    .requiredOption('--user-email <email>', 'for whom the key acts')
    .requiredOption('--org <id>')
    .requiredOption('--name <name>')
    .action((options) => {
      const { userEmail, org: orgId, name } = options;
      return print(options, (members) => members.createKey({ userEmail, orgId, name }));
    });

  const audit = admin.command('audit').description('the audit log');
  audit
    .command('verify')
    .description('Goes through the chain of entries of each organization.')
    .option('--org <id>', 'of one organization alone')
    .option('--head <head>', 'the end of its chain as it was noted elsewhere, with --org')
    .action(({ org, head, ...rest }) => verify({ ...rest, org, head }));

  return strict(admin);
}

/** A log that is not as it was written ends the command with 1, too. */
function verify({ org, head, ...rest }: Partial<Options>): Promise<void> {
  const given = { ...rest, ...(org && { org }), ...(head && { head }) };
  return print(given, async (members) => {
    const result = await members.verifyAuditLog(org, head);
    if (!result.verified) process.exitCode = 1;
    return result;
  });
}

function addOrganizations(admin: Command): void {
  const org = admin.command('org').description('organizations');
  org
    .command('create')
    .requiredOption('--name <name>')
    .requiredOption('--owner-email <email>')
    .option('--owner-password <password>')
    .option('--plan <plan>', 'a plan of PLANS_FILE', 'free')
    .action((options) => print(options, (members) => members.createOrganization(options)));
  org
    .command('set-plan')
    .requiredOption('--org <id>')
    .requiredOption('--plan <plan>', 'a plan of PLANS_FILE')
    .action((options) => print(options, (members) => members.setPlan({ orgId: options.org, plan: options.plan })));
  org.command('list').action(() => print({}, (members) => members.listOrganizations()));
}

/** Wrong usage is answered like any other failure, and nothing but the document reaches standard output. */
function strict(command: Command): Command {
  command.exitOverride(refuse).configureOutput({ writeErr: () => {} });
  command.commands.forEach(strict);
  return command;
}

function refuse(error: CommanderError): never {
  const problem = error.code === 'commander.help' ? 'a command is missing; --help lists them' : error.message;
  if (error.exitCode !== 0) write(new ApiError('VALIDATION_ERROR', problem.replace(/^error: /, '')));
  process.exit(error.exitCode);
}

type Options = Record<string, string>;

async function print(options: Options, work: (members: Admin) => Promise<unknown>): Promise<void> {
  try {
    requireValidOptions(options);
    const { DATA_DIR } = VARIABLES;
    const config = readConfig(process.env, { ...service.variables, DATA_DIR }, true);
    const server = await connectToServer(config);
    try {
      const members = await openAdmin(server.url, config.PLANS_FILE);
      write(await work(members).finally(() => members.close()));
    } finally {
      await server.stop();
    }
  } catch (error) {
    write(error);
    process.exitCode = 1;
  }
}

function write(result: unknown): void {
  console.log(JSON.stringify(result instanceof Error ? toFailure(result) : result, null, 2));
}

function toFailure(error: Error) {
  const known = error instanceof ApiError ? error : new ApiError('INTERNAL', error.message);
  return { error: known.message, code: known.code, details: known.details };
}
