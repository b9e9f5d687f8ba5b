import { ApiError } from '@drawbridge/contracts';
import { listAbandoned, removeAbandoned } from '@drawbridge/postgres';
import { readConfig } from '@drawbridge/rpc';
import { type Command } from 'commander';
import { answer, PLACE } from './run-on-database.js';

/** Adds the commands for embedded databases with a deleted DATA_DIR. */
export function addData(admin: Command): void {
  const data = admin.command('data').description('databases under /var/lib/drawbridge with a deleted DATA_DIR');
  data.command('list').action(() => answer(() => ({ databases: listAbandoned(currentDataDir()) })));
  data
    .command('remove')
    .description('Deletes these databases, except those with a running server.')
    .option('--name <name>', 'only this one, by its name in `data list`')
    .action(({ name }: { name?: string }) => answer(() => remove(name)));
}

function remove(name: string | undefined) {
  const removed = removeAbandoned(currentDataDir(), name);
  if (name === undefined || removed.length > 0) return { removed };
  throw new ApiError(
    'NOT_FOUND',
    `--name: ${name} is in use, or its DATA_DIR exists. List what can be removed: data list`,
  );
}

/** Returns the current DATA_DIR. Its database must be excluded, because it has recorded another path if the DATA_DIR was moved. */
function currentDataDir(): string {
  return readConfig(process.env, PLACE, true).DATA_DIR;
}
