import { setTimeout as sleep } from 'node:timers/promises';
import { type Server } from './launch.js';

/** Before each new start. A server that then lives for a minute has recovered, and gets as many again. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];
const RECOVERED_MS = 60_000;

export interface SupervisedServer {
  port: number;
  /** Settles when it was stopped, or ended so often that nobody starts it again; then it says how it ended. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

interface SupervisorOptions {
  /** Starts the server, on this port where one is given. */
  launch(port?: number): Promise<Server>;
  /** Each server that runs, the first included. */
  onStart(server: Server): void;
  say(line: string): void;
}

/** Starts a server, and again on the same port when it ends by itself: who was connected to it finds it there. */
export async function superviseServer({ launch, onStart, say }: SupervisorOptions): Promise<SupervisedServer> {
  const stopping = new AbortController();
  let server = await launch();
  onStart(server);

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

  /** Uses up pauses until a start succeeds. Returns the last end when none does, or when it is to stop. */
  async function startAgain(pauses: number[], end: string): Promise<string | void> {
    for (let pause = pauses.shift(); pause !== undefined; pause = pauses.shift()) {
      say(`the database server ended by itself (${end}); starting it again in ${pause} ms`);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return end;
      const started = await launch(server.port).catch((error: Error) => error.message);
      if (typeof started !== 'string') return onStart((server = started));
      end = started;
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
