import { type Server } from './launch.js';
import { superviseServer } from './supervise-server.js';

/** A server that runs until `crash` or `stop`. */
function fakeServer(): Server & { crash(): void; isStopped: boolean } {
  let end: (reason: string) => void;
  const exited = new Promise<string>((resolve) => (end = resolve));
  const server = {
    port: 5432,
    pid: 1,
    exited,
    isStopped: false,
    crash: () => end('signal SIGKILL'),
    stop: async () => {
      server.isStopped = true;
      end('stopped');
    },
  };
  return server;
}

const full = (): never => {
  throw new Error('ENOSPC: no space left on device');
};

it('stops a first server that cannot be reported', async () => {
  const server = fakeServer();
  const starting = superviseServer({ launch: async () => server, onStart: full, say: () => undefined });
  await expect(starting).rejects.toThrow('ENOSPC');
  expect(server.isStopped).toBe(true);
});

it('stops a server that cannot be reported after a crash, and starts another', async () => {
  const servers = [fakeServer(), fakeServer(), fakeServer()] as const;
  const waiting = [...servers];
  const started: unknown[] = [];
  const reported: unknown[] = [];
  const onStart = (server: Server): void => {
    started.push(server);
    if (started.length === 2) full();
    reported.push(server);
  };
  const supervised = await superviseServer({ launch: async () => waiting.shift()!, onStart, say: () => undefined });
  servers[0].crash();
  while (reported.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(servers[1].isStopped).toBe(true);
  await supervised.stop();
  expect(servers[2].isStopped).toBe(true);
  expect(await supervised.exited).toBe('stopped');
});
