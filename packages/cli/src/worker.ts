import { type Counted, type Counting, type GatewayShared } from '@drawbridge/gateway';
import { addPieces } from '@drawbridge/pieces';
import { createLogger, endAll, handleUncaughtErrors, onShutdownSignal, startFailure } from '@drawbridge/rpc';
import { Channel } from './channel.js';
import { type AllConfig } from './config-flags.js';
import { type GroupQuestions, type WorkerQuestions } from './process-group.js';
import { type Running, runServices, type Stops, lastFirst } from './run-services.js';

/** A request waits this long for the rate-limit count from the first process. After that it is counted only in this process. */
const COUNT_MS = 250;

type ToGroup = Channel<GroupQuestions, WorkerQuestions>;

/**
 * Runs a worker process of a group. It receives its configuration from the first process, and shuts down on SIGTERM. Node.js terminates it when the
 * first process has exited.
 */
export async function runWorker(): Promise<void> {
  const channel: ToGroup = new Channel<GroupQuestions, WorkerQuestions>(process, {
    opensKey: async (plainKey) => (await running).opensKey(plainKey),
    metrics: async () => (await running).readMetrics(),
  });
  const running = channel.ask('configuration', undefined).then((config) => run(config, channel));
  await running;
  await channel.ask('ready', undefined);
}

async function run(config: AllConfig, channel: ToGroup): Promise<Running> {
  const log = createLogger('drawbridge', config.LOG_LEVEL);
  const stops: Stops = [];
  handleUncaughtErrors(log);
  onShutdownSignal(log, (deadline) => endAll(lastFirst(stops, deadline)));
  try {
    await addPieces(config.INTEGRATIONS_DIR);
    return await runServices(config, { log, stops, windows: groupWindows(channel) });
  } catch (error) {
    console.error(startFailure(error));
    await endAll(lastFirst(stops, Date.now()));
    return process.exit(1);
  }
}

interface Asked {
  counting: Counting;
  resolve(counted: Counted | undefined): void;
}

/** Counts requests in the first process. Requests that arrive in the same event loop iteration share a message. */
function groupWindows(channel: ToGroup): GatewayShared['windows'] {
  let asked: Asked[] = [];
  const flush = async (): Promise<void> => {
    const batch = asked;
    asked = [];
    const late = setTimeout(() => batch.forEach(({ resolve }) => resolve(undefined)), COUNT_MS);
    const counted = await channel
      .ask(
        'count',
        batch.map(({ counting }) => counting),
      )
      .catch(() => []);
    clearTimeout(late);
    batch.forEach(({ resolve }, index) => resolve(counted[index]));
  };
  return {
    look: (counting) =>
      new Promise((resolve) => {
        if (asked.push({ counting, resolve }) === 1) setImmediate(flush);
      }),
  };
}
