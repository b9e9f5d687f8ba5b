import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ApiError } from '@drawbridge/contracts';
import { members } from '@drawbridge/members';
import { runningPostgres, startPostgres } from '@drawbridge/postgres';
import type { Logger } from '@drawbridge/rpc';
import type { AllConfig } from './config-flags.js';

export interface DatabaseServer {
  url: string;
  /** Settles, saying how it ended, when the server is not started again; never for one that is not ours. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

type DatabaseConfig = Pick<AllConfig, 'DATABASE_URL' | 'DATA_DIR'>;

const NEVER = new Promise<never>(() => {});

/** The operator's DATABASE_URL, or the embedded server of DATA_DIR, started here. */
export async function openServer(config: DatabaseConfig, log: Logger): Promise<DatabaseServer> {
  if (config.DATABASE_URL) return externalServer(config.DATABASE_URL);
  return startPostgres({ dataDir: config.DATA_DIR, log: (line) => log.debug(line), say: (line) => log.info(line) });
}

/** Throws an Error for the operator where DATABASE_URL is given and cannot be opened. */
export async function requireOpenable({ DATABASE_URL }: Pick<AllConfig, 'DATABASE_URL'>): Promise<void> {
  if (DATABASE_URL) await (await members.openDatabase(DATABASE_URL)).close();
}

/** The server for a short command: where the product runs on this DATA_DIR, its server is used as it is. Makes no database. */
export async function connectToServer(config: DatabaseConfig): Promise<DatabaseServer> {
  const url = config.DATABASE_URL || runningPostgres(config.DATA_DIR);
  if (url) return externalServer(url);
  requireDatabase(config.DATA_DIR);
  return startPostgres({ dataDir: config.DATA_DIR });
}

/** A mistyped folder is no wish for a new database. */
function requireDatabase(dataDir: string): void {
  if (existsSync(join(dataDir, 'postgres'))) return;
  const message = `DATA_DIR: there is no database in ${resolve(dataDir)}. Give the one that Drawbridge was started with`;
  throw new ApiError('NOT_FOUND', message);
}

const externalServer = (url: string): DatabaseServer => ({ url, exited: NEVER, stop: async () => {} });
