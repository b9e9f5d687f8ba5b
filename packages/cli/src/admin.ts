import { existsSync, readFileSync } from 'node:fs';
import { MASTER_KEY_VARIABLES, rotateMasterKey } from '@drawbridge/connections/admin';
import { ApiError, SERVICE_TABLE, type ServiceName, SERVICES } from '@drawbridge/contracts';
import { replayEvents } from '@drawbridge/events';
import { members as service } from '@drawbridge/members';
import { openAdmin } from '@drawbridge/members/admin';
import { type Config, GATEWAY_VARIABLES, gatewayUrl } from '@drawbridge/rpc';
import { Command, type CommanderError } from 'commander';
import { addData } from './admin-data.js';
import { masterKeysFile } from './data-dir.js';
import { doctor } from './doctor/doctor.js';
import { answer, type Options, print, runOnDatabase } from './run-on-database.js';
import * as factories from './service-factories.js';

type Admin = Awaited<ReturnType<typeof openAdmin>>;

/**
 * Builds `drawbridge admin`. Each command prints one JSON document. After a failure the document is `{error, code, details}` and the exit code is 1.
 */
export function adminCommand(): Command {
  const admin = new Command('admin').description(
    'Commands for operators. They work while the product runs or is stopped.',
  );

  addOrganizations(admin);
  addUsers(admin);
  addKeys(admin);
  addData(admin);
  addEvents(admin);

  admin
    .command('doctor')
    .description('Checks a running instance: keys, BASE_URL and TLS, open ports, files, engine, clock, disk.')
    .action(() => answer(examine));

  const audit = admin.command('audit').description('the audit log');
  audit
    .command('verify')
    .description('Verifies the chain of entries of each organization.')
    .option('--org <id>', 'only this organization')
    .option('--head <head>', 'the chain head that was noted elsewhere; requires --org')
    .action(({ org, head, ...rest }) => verify({ ...rest, org, head }));

  return strict(admin);
}

/** Exits with 1 if a check failed. If there are only warnings, exits with 0. */
async function examine(): Promise<unknown> {
  const report = await doctor(process.env);
  if (report.status === 'failed') process.exitCode = 1;
  return report;
}

/** Verifies the audit log. Exits with 1 if the log was modified, as after an error. */
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

function addUsers(admin: Command): void {
  const user = admin.command('user').description('users who can sign in');
  user
    .command('create')
    .requiredOption('--email <email>')
    .requiredOption('--password <password>')
    .option('--name <name>')
    .action((options) => onMembers(options, (members) => members.createUser(options)));

  user
    .command('sign-in-link')
    .description('Prints a link that signs the user in once, within 15 minutes.')
    .requiredOption('--email <email>')
    .action((options) =>
      onMembers(options, async (members, config) => {
        const { path, ...link } = await members.createSignInLink(options);
        return { signInLink: { ...link, url: gatewayUrl(config) + path } };
      }),
    );

  const key = admin.command('key').description('API keys');
  key
    .command('create')
    .requiredOption('--user-email <email>', 'the user that the key acts for')
    .requiredOption('--org <id>')
    .requiredOption('--name <name>')
    .action((options) => {
      const { userEmail, org: orgId, name } = options;
      return onMembers(options, (members) => members.createKey({ userEmail, orgId, name }));
    });
}

/** Reports incorrect usage like any other failure. Standard output contains only the document. */
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

const MEMBERS_VARIABLES = { ...GATEWAY_VARIABLES, ...service.variables };

function onMembers(
  options: Options,
  work: (members: Admin, config: Config<typeof MEMBERS_VARIABLES>) => Promise<unknown>,
): Promise<void> {
  return runOnDatabase({ options, variables: MEMBERS_VARIABLES }, async (databaseUrl, config) => {
    const members = await openAdmin(databaseUrl, config.PLANS_FILE);
    return work(members, config).finally(() => members.close());
  });
}

type Publisher = Exclude<ServiceName, 'gateway'>;

const PUBLISHING = SERVICES.filter((name): name is Publisher => SERVICE_TABLE[name].hasDatabase);

/** Adds `drawbridge admin events`: the events between services. */
function addEvents(admin: Command): void {
  admin
    .command('events')
    .description('the events between services')
    .command('replay')
    .description(
      'Publishes the events of a service again, at most those of 6 days. A consumer applies each event once.',
    )
    .requiredOption('--service <name>', PUBLISHING.join(', '))
    .requiredOption('--from <timestamp>', 'such as 2026-11-22T19:00:00Z')
    .action((options: { service: Publisher; from: string }) =>
      runOnDatabase({ options, variables: {} }, async (databaseUrl) => {
        const { service, from } = options;
        const database = await factories[service].openDatabase(databaseUrl);
        const replayed = replayEvents(database.pool, { schema: service, from: new Date(from) });
        return { service, ...(await replayed.finally(() => database.close())) };
      }),
    );
}

/** Adds `drawbridge admin keys`: the master keys of the vault. */
function addKeys(admin: Command): void {
  admin
    .command('keys')
    .description('the master keys of the vault')
    .command('rotate-master')
    .description('Rewraps all data keys with the first key of MASTER_KEYS. Can be interrupted and run again.')
    .action(() =>
      runOnDatabase({ options: {}, variables: MASTER_KEY_VARIABLES }, async (databaseUrl, given) => {
        const config = { ...given, MASTER_KEYS: given.MASTER_KEYS || generatedKeys(given.DATA_DIR) };
        const result = await rotateMasterKey({ databaseUrl, config }, (line) => console.error(line));
        // The remaining data keys still need the old master key. Exit code 1 stops a script that would remove that key next.
        if (result.remaining > 0) process.exitCode = 1;
        return result;
      }),
    );
}

function generatedKeys(dataDir: string): string {
  const file = masterKeysFile(dataDir);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new ApiError('VALIDATION_ERROR', `MASTER_KEYS: is required, because ${file} does not exist`);
}
