import { existsSync, readFileSync } from 'node:fs';
import { ApiError } from '@drawbridge/contracts';
import { MASTER_KEY_VARIABLES, rotateMasterKey } from '@drawbridge/connections/admin';
import { type Command } from 'commander';
import { masterKeysFile } from './data-dir.js';
import { runOnDatabase } from './run-on-database.js';

/** Adds `drawbridge admin keys`: the master keys of the vault. */
export function addKeys(admin: Command): void {
  admin
    .command('keys')
    .description('the master keys of the vault')
    .command('rotate-master')
    .description('Rewraps all data keys under the first of MASTER_KEYS. May be ended and run again.')
    .action(() =>
      runOnDatabase({ options: {}, variables: MASTER_KEY_VARIABLES }, async (databaseUrl, given) => {
        const config = { ...given, MASTER_KEYS: given.MASTER_KEYS || generatedKeys(given.DATA_DIR) };
        const result = await rotateMasterKey({ databaseUrl, config }, (line) => console.error(line));
        // The remaining data keys still need the old master key: exit 1 stops a script that would remove it next.
        if (result.remaining > 0) process.exitCode = 1;
        return result;
      }),
    );
}

function generatedKeys(dataDir: string): string {
  const file = masterKeysFile(dataDir);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new ApiError('VALIDATION_ERROR', `MASTER_KEYS: is required, as there is no ${file}`);
}
