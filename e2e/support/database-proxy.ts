import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Asked, frontendMessages } from './frontend-messages.js';

/**
 * When the proxy cuts the connection: before the statement arrives, or after it ran and before its response is returned. The database is then
 * unreachable.
 */
export type Cut = 'before' | 'after';

/** A proxy between the product and PostgreSQL that can cut the connections. */
export interface DatabaseProxy {
  url: string;
  /** Each executed statement, with the values of its last execution. */
  asked: Map<string, Asked>;
  /** Returns how often matching statements were executed. */
  count(statement: RegExp): number;
  /** Cuts all connections at the first matching statement. Resolves after that. */
  cutAt(statement: RegExp, cut: Cut): Promise<void>;
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
}

export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const asked = new Map<string, Asked & { times: number }>();
  const lines = new Set<Socket>();
  let away = false;
  let trap: { statement: RegExp; cut: Cut; caught(): void } | undefined;

  const cut = (): void => {
    away = true;
    for (const line of lines) line.destroy();
  };
  const server = createServer((client) => {
    if (away) return void client.destroy();
    const backend = connect(Number(target.port), target.hostname);
    const both = [client, backend];
    for (const line of both) {
      lines.add(line);
      line.on('error', () => undefined).on('close', () => both.forEach((each) => each.destroy() && lines.delete(each)));
    }
    let onAnswer: (() => void) | undefined;
    const note = (statement: Asked): void => {
      asked.set(statement.sql, { ...statement, times: (asked.get(statement.sql)?.times ?? 0) + 1 });
      if (!trap?.statement.test(statement.sql)) return;
      const { caught, cut: when } = trap;
      trap = undefined;
      const fall = (): void => {
        cut();
        caught();
      };
      if (when === 'before') return fall();
      onAnswer = fall; // the statement reaches the database, and its response is dropped
    };
    const read = frontendMessages(note);
    client.on('data', (bytes: Buffer) => {
      read(bytes);
      if (!away) backend.write(bytes);
    });
    backend.on('data', (bytes: Buffer) => (onAnswer ? onAnswer() : client.write(bytes)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    asked,
    count: (statement) =>
      [...asked.values()].reduce((sum, { sql, times }) => sum + (statement.test(sql) ? times : 0), 0),
    cutAt: (statement, how) => new Promise((resolve) => (trap = { statement, cut: how, caught: resolve })),
    cut,
    restore: () => void (away = false),
    async stop() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
