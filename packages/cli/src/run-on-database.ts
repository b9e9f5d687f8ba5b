import { ApiError } from '@drawbridge/contracts';
import { type Config, readConfig, type Variables } from '@drawbridge/rpc';
import { requireValidOptions } from './admin-input.js';
import { connectToServer } from './database.js';
import { VARIABLES } from './variables.js';

/** The variables that locate the database of every command. */
export const PLACE = { DATABASE_URL: VARIABLES.DATABASE_URL, DATA_DIR: VARIABLES.DATA_DIR };

/** The options as typed. */
export type Options = Record<string, string>;

/** Runs `work` with its variables, on the product's database, and prints its result or error. */
export async function runOnDatabase<V extends Variables>(
  { options, variables }: { options: Options; variables: V },
  work: (databaseUrl: string, config: Config<V & typeof PLACE>) => Promise<unknown>,
): Promise<void> {
  try {
    requireValidOptions(options);
    const config = readConfig(process.env, { ...variables, ...PLACE }, true);
    const server = await connectToServer(readConfig(process.env, PLACE, true));
    try {
      print(await work(server.url, config));
    } finally {
      await server.stop();
    }
  } catch (error) {
    print(error);
    process.exitCode = 1;
  }
}

/** Prints the one JSON document of a command. */
export function print(result: unknown): void {
  console.log(JSON.stringify(result instanceof Error ? toFailure(result) : result, null, 2));
}

function toFailure(error: Error) {
  const known = error instanceof ApiError ? error : new ApiError('INTERNAL', error.message);
  return { error: known.message, code: known.code, details: known.details };
}
