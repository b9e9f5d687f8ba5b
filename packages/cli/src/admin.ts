import { ApiError } from '@drawbridge/contracts';
import { members as service } from '@drawbridge/members';
import { openAdmin } from '@drawbridge/members/admin';
import { Command, type CommanderError } from 'commander';
import { addData } from './admin-data.js';
import { addEvents } from './admin-events.js';
import { addKeys } from './admin-keys.js';
import { type Options, print, runOnDatabase } from './run-on-database.js';

type Admin = Awaited<ReturnType<typeof openAdmin>>;

/** Builds `drawbridge admin`: each command prints one JSON document; a failure is `{error, code, details}` and exit code 1. */
export function adminCommand(): Command {
  const admin = new Command('admin').description('What an operator does, whether the product runs or not.');

  addOrganizations(admin);
  addKeys(admin);
  addData(admin);
  addEvents(admin);

  const user = admin.command('user').description('people who sign in');
  user
    .command('create')
    .requiredOption('--email <email>')
    .requiredOption('--password <password>')
    .option('--name <name>')
    .action((options) => onMembers(options, (members) => members.createUser(options)));

  const key = admin.command('key').description('API keys');
  key
    .command('create')
    .requiredOption('--user-email <email>', 'for whom the key acts')
    .requiredOption('--org <id>')
    .requiredOption('--name <name>')
    .action((options) => {
      const { userEmail, org: orgId, name } = options;
      return onMembers(options, (members) => members.createKey({ userEmail, orgId, name }));
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

/** Exits with 1 also if the audit log was altered. */
function verify({ org, head, ...rest }: Partial<Options>): Promise<void> {
  const given = { ...rest, ...(org && { org }), ...(head && { head }) };
  return onMembers(given, async (members) => {
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
    .action((options) => onMembers(options, (members) => members.createOrganization(options)));
  org
    .command('set-plan')
    .requiredOption('--org <id>')
    .requiredOption('--plan <plan>', 'a plan of PLANS_FILE')
    .action((options) => onMembers(options, (members) => members.setPlan({ orgId: options.org, plan: options.plan })));
  org.command('list').action(() => onMembers({}, (members) => members.listOrganizations()));
}

/** Reports wrong usage like any other failure. Standard output contains only the document. */
function strict(command: Command): Command {
  command.exitOverride(refuse).configureOutput({ writeErr: () => {} });
  command.commands.forEach(strict);
  return command;
}

function refuse(error: CommanderError): never {
  const problem = error.code === 'commander.help' ? 'a command is missing; --help lists them' : error.message;
  if (error.exitCode !== 0) print(new ApiError('VALIDATION_ERROR', problem.replace(/^error: /, '')));
  process.exit(error.exitCode);
}

function onMembers(options: Options, work: (members: Admin) => Promise<unknown>): Promise<void> {
  return runOnDatabase({ options, variables: service.variables }, async (databaseUrl, { PLANS_FILE }) => {
    const members = await openAdmin(databaseUrl, PLANS_FILE);
    return work(members).finally(() => members.close());
  });
}
