import { execa } from 'execa';
import { baseEnv, cliCommand } from './child.js';

/**
 * Runs an admin command such as `('org', 'list')`, and returns the JSON document that it prints. Throws an error with its output if it prints none.
 */
export type Admin = (...args: string[]) => Promise<unknown>;

export interface AdminRun {
  /** The JSON document that the command prints. Rejects with its output if it prints none. */
  document: Promise<unknown>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
}

export function adminOf(databaseUrl: string, env: Record<string, string> = {}): Admin {
  return (...args) => startAdmin(databaseUrl, env, ...args).document;
}

/** Starts an admin command that a test may kill before it exits. */
export function startAdmin(databaseUrl: string, env: Record<string, string>, ...args: string[]): AdminRun {
  const [file = '', ...rest] = cliCommand(['admin', ...args]);
  const options = { env: { ...baseEnv(), DATABASE_URL: databaseUrl, ...env }, extendEnv: false };
  const child = execa(file, rest, options);
  const document = child.then(({ stdout }) => JSON.parse(stdout) as unknown);
  const end = document.then(
    () => undefined,
    () => undefined,
  );
  return {
    document,
    kill() {
      child.kill('SIGKILL');
      return end;
    },
  };
}
