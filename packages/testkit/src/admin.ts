import { execa } from 'execa';
import { baseEnv } from './base-env.js';
import { cliCommand } from './paths.js';

/** Runs an admin command, `('org', 'list')`, and returns the JSON document that it prints. Throws an error with what it printed otherwise. */
export type Admin = (...args: string[]) => Promise<unknown>;

export function adminOf(databaseUrl: string, env: Record<string, string> = {}): Admin {
  return async (...args) => {
    const [file = '', ...rest] = cliCommand('admin', ...args);
    const { stdout } = await execa(file, rest, {
      env: { ...baseEnv(), DATABASE_URL: databaseUrl, ...env },
      extendEnv: false,
    });
    return JSON.parse(stdout) as unknown;
  };
}
