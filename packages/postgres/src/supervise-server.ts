import { setTimeout as sleep } from 'node:timers/promises';
import { type Server } from './launch.js';

/** Delay before each restart. If the server then runs for a minute, the delays start over. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];
const RECOVERED_MS = 60_000;

export interface SupervisedServer {
  port: number;
  /** Resolves with the reason of the exit, after `stop` or when the server crashed too often to be restarted. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

interface SupervisorOptions {
  /** Starts the server, on `port` if specified. */
  launch(port?: number): Promise<Server>;
  /** Called for each server that was started, including the first. */
  onStart(server: Server): void;
  say(line: string): void;
}

/** Starts a server, and restarts it on the same port after a crash, so that clients can reconnect. */
export async function superviseServer({ launch, onStart, say }: SupervisorOptions): Promise<SupervisedServer> {
  const stopping = new AbortController();
  let server = await startAndReport({ launch, onStart });

  async function watch(): Promise<string> {
    for (let pauses = [...PAUSES_MS]; ;) {
      const startedAt = performance.now();
      const end = await server.exited;
      if (stopping.signal.aborted) return end;
      if (performance.now() - startedAt > RECOVERED_MS) pauses = [...PAUSES_MS];
      const failure = await startAgain(pauses, end);
      if (failure) return failure;
      if (stopping.signal.aborted) await server.stop();
    }
  }

  /** Retries with the remaining delays until the server starts. Returns the last exit reason if it does not start, or after `stop`. */
  async function startAgain(pauses: number[], end: string): Promise<string | void> {
    for (let pause = pauses.shift(); pause !== undefined; pause = pauses.shift()) {
      say(`the database server ended by itself (${end}); starting it again in ${pause} ms`);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return end;
      try {
        server = await startAndReport({ launch, onStart }, server.port);
        return;
      } catch (error) {
        end = (error as Error).message;
      }
    }
    return end;
  }

  const exited = watch();
  return {
    port: server.port,
    exited,
    async stop() {
      stopping.abort();
      await server.stop();
      await exited;
    },
  };
}

/** Starts a server and calls `onStart`. If that fails, for example on a full disk, stops the server, because no caller could find it. */
async function startAndReport(
  { launch, onStart }: Pick<SupervisorOptions, 'launch' | 'onStart'>,
  port?: number,
): Promise<Server> {
  const server = await launch(port);
  try {
    onStart(server);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}
