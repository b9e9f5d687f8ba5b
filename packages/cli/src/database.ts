import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ApiError } from '@drawbridge/contracts';
import { members } from '@drawbridge/members';
import { runningPostgres, startPostgres } from '@drawbridge/postgres';
import type { Logger } from '@drawbridge/rpc';
import type { AllConfig } from './config-flags.js';

export interface DatabaseServer {
  url: string;
  /** Resolves with the reason when the server has exited and will not be restarted. Never resolves for an external server. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

type DatabaseConfig = Pick<AllConfig, 'DATABASE_URL' | 'DATA_DIR'>;

/** Each process of the product opens at most 10 connections. The remaining connections are for LISTEN and for operators. */
const connectionsFor = (processes: number): string => String(48 + 12 * processes);

const NEVER = new Promise<never>(() => {});

/** Connects to the operator's DATABASE_URL, or starts the embedded server of DATA_DIR. */
export async function openServer(
  config: DatabaseConfig & Pick<AllConfig, 'WEB_CONCURRENCY'>,
  log: Logger,
): Promise<DatabaseServer> {
  if (config.DATABASE_URL) return externalServer(config.DATABASE_URL);
  const settings = { max_connections: connectionsFor(config.WEB_CONCURRENCY) };
  const [debug, info] = [(line: string) => log.debug(line), (line: string) => log.info(line)];
  return startPostgres({ dataDir: config.DATA_DIR, settings, log: debug, say: info });
}

/** Throws an Error for the operator if DATABASE_URL is set but cannot be opened. */
export async function requireOpenable({ DATABASE_URL }: Pick<AllConfig, 'DATABASE_URL'>): Promise<void> {
  if (DATABASE_URL) await (await members.openDatabase(DATABASE_URL)).close();
}

/** Returns the server for a short command. Uses the running server if the product runs with this DATA_DIR. Never creates a database. */
export async function connectToServer(config: DatabaseConfig): Promise<DatabaseServer> {
  const url = config.DATABASE_URL || runningPostgres(config.DATA_DIR);
  if (url) return externalServer(url);
  requireDatabase(config.DATA_DIR);
  return startPostgres({ dataDir: config.DATA_DIR });
}

/** Rejects a mistyped folder instead of creating a database in it. */
function requireDatabase(dataDir: string): void {
  if (existsSync(join(dataDir, 'postgres'))) return;
  const message = `DATA_DIR: there is no database in ${resolve(dataDir)}. Set it to the folder with which Drawbridge was started`;
  throw new ApiError('NOT_FOUND', message);
}

const externalServer = (url: string): DatabaseServer => ({ url, exited: NEVER, stop: async () => {} });
