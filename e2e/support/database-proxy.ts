import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Asked, frontendMessages } from './frontend-messages.js';

/** What becomes of a statement: it never arrives, or it is done and nobody hears of it. Either way the database is away from then on. */
export type Cut = 'before' | 'after';

/** PostgreSQL as the product reaches it, with a hand on the line. */
export interface DatabaseProxy {
  url: string;
  /** Every statement that was executed, with the values of its last time. */
  asked: Map<string, Asked>;
  /** How often a statement that matches was executed. */
  count(statement: RegExp): number;
  /** Takes the database away at the first statement that matches; resolves then. */
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
      onAnswer = fall; // it reaches the database, whose answer nobody hears
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
