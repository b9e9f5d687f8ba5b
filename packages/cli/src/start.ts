import { findPort } from '@drawbridge/gateway';
import { FIRST_OWNER, openAdmin } from '@drawbridge/members/admin';
import { addPieces } from '@drawbridge/pieces';
import {
  createLogger,
  describeError,
  endAll,
  formerNames,
  gatewayUrl,
  handleUncaughtErrors,
  type Logger,
  metricsEndpoint,
  onShutdownSignal,
} from '@drawbridge/rpc';
import { type AllConfig } from './config-flags.js';
import { type FirstKey, firstKey, openDataDir } from './data-dir.js';
import { openServer, requireOpenable } from './database.js';
import { runGroup } from './process-group.js';
import { lastFirst, runServices, type Stops } from './run-services.js';
import { VARIABLES } from './variables.js';

/**
 * Runs all services in this process, or in WEB_CONCURRENCY processes that run `script`, until SIGTERM or SIGINT. Then completes current requests,
 * stops the database and exits with 0. If a part fails to start, stops all other parts and throws.
 */
export async function start(config: AllConfig, script: string): Promise<void> {
  const log = createLogger('drawbridge', config.LOG_LEVEL);
  handleUncaughtErrors(log);
  for (const warning of formerNames(process.env, VARIABLES)) log.warn(warning);
  const stops: Stops = [];
  const stopAll = (deadline: number): Promise<void> => endAll(lastFirst(stops, deadline));
  onShutdownSignal(log, stopAll);
  try {
    console.log(await startAll(config, { script, log, stops }));
  } catch (error) {
    await stopAll(Date.now()).catch((failure: unknown) => {
      log.error({ error: describeError(failure) }, 'shutdown did not complete cleanly');
    });
    throw error;
  }
}

interface Needs {
  script: string;
  log: Logger;
  stops: Stops;
}

/** Starts everything. Returns the banner. */
async function startAll(asked: AllConfig, { script, log, stops }: Needs): Promise<string> {
  const began = Date.now();
  const { config, key } = await openInstallation(asked, log, stops);
  const run = config.WEB_CONCURRENCY === 1 ? runServices : runGroup;
  const running = await run(config, { script, log, stops });
  const endpoint = metricsEndpoint({
    port: config.METRICS_PORT,
    host: config.GRPC_HOST,
    read: () => running.readMetrics(),
    log,
  });
  stops.push((deadline) => endpoint.stop(deadline));
  await endpoint.start();
  const { text, isFirstStart } = await key.describe((plainKey) => running.opensKey(plainKey));
  return readyBanner({
    url: gatewayUrl(config),
    firstKey: text,
    next: isFirstStart ? await firstSteps(config, key.plainKey) : [],
    seconds: (Date.now() - began) / 1000,
  });
}

/** Starts the database, and returns the configuration with the port and the keys of this installation. */
async function openInstallation(
  asked: AllConfig,
  log: Logger,
  stops: Stops,
): Promise<{ config: AllConfig; key: FirstKey }> {
  // Reports configuration errors before a key, a folder or a database is created.
  const given = { ...asked, PORT: await findPort({ host: asked.HOST, port: asked.PORT }) };
  await addPieces(given.INTEGRATIONS_DIR);
  await requireOpenable(given);
  const dataDir = openDataDir(given.DATA_DIR);
  const key = firstKey(given, dataDir);
  const DATABASE_URL = await startDatabase(given, log, stops);
  const MASTER_KEYS = given.MASTER_KEYS || dataDir.masterKeys();
  const INTERNAL_KEY = given.INTERNAL_KEY || dataDir.internalKey();
  return { config: { ...given, DATABASE_URL, MASTER_KEYS, INTERNAL_KEY, BOOTSTRAP_API_KEY: key.plainKey }, key };
}

/** The link is valid longer than usual, because the person may not read the terminal immediately. */
const FIRST_LINK_MINUTES = 60;

/** Returns the first steps for a new installation. They contain a sign-in link, because the owner of the first organization has no password yet. */
async function firstSteps(config: AllConfig, plainKey: string): Promise<string[]> {
  const members = await openAdmin(config.DATABASE_URL, config.PLANS_FILE);
  const link = members.createSignInLink({ email: FIRST_OWNER, minutes: FIRST_LINK_MINUTES });
  const { path } = await link.finally(() => members.close());
  const url = gatewayUrl(config);
  return [
    '',
    `  Sign in as ${FIRST_OWNER} (works once, for ${FIRST_LINK_MINUTES} minutes):`,
    `    ${url}${path}`,
    '  Make the first call:',
    `    curl ${url}/api/v1/organization -H 'Authorization: Bearer ${plainKey}'`,
  ];
}

async function startDatabase(config: AllConfig, log: Logger, stops: Stops): Promise<string> {
  const server = await openServer(config, log);
  let asked = false;
  stops.push(() => {
    asked = true;
    return server.stop();
  });
  void server.exited.then((end) => {
    if (asked) return;
    log.error(`the database server keeps exiting and is not restarted (${end}). Check DATA_DIR, then start again`);
    process.exit(1);
  });
  return server.url;
}

interface Ready {
  url: string;
  firstKey: string;
  next: string[];
  seconds: number;
}

function readyBanner({ url, firstKey, next, seconds }: Ready): string {
  return [
    '',
    `Drawbridge is ready (${seconds.toFixed(1)} s)`,
    `  Base URL       ${url}`,
    `  API reference  ${url}/docs`,
    `  First key      ${firstKey}`,
    '  Stop           Ctrl-C, or SIGTERM to this process',
    ...next,
    '',
  ].join('\n');
}
