import { ApiError } from '@drawbridge/contracts';
import { type Config, readConfig, type Variables } from '@drawbridge/rpc';
import { requireValidOptions } from './admin-input.js';
import { connectToServer } from './database.js';
import { VARIABLES } from './variables.js';

/** Where every command finds the database. */
export const PLACE = { DATABASE_URL: VARIABLES.DATABASE_URL, DATA_DIR: VARIABLES.DATA_DIR };

/** As they were typed. */
export type Options = Record<string, string>;

/** Does the work with the variables that it reads, on the database of the same place as the product, and prints what it returns or why it failed. */
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

/** The one document of a command. */
export function print(result: unknown): void {
  console.log(JSON.stringify(result instanceof Error ? toFailure(result) : result, null, 2));
}

function toFailure(error: Error) {
  const known = error instanceof ApiError ? error : new ApiError('INTERNAL', error.message);
  return { error: known.message, code: known.code, details: known.details };
}
