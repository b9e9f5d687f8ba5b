import { existsSync, readFileSync } from 'node:fs';
import { ApiError } from '@drawbridge/contracts';
import { connections } from '@drawbridge/connections';
import { rotateMasterKey } from '@drawbridge/connections/admin';
import { type Command } from 'commander';
import { masterKeysFile } from './data-dir.js';
import { runOnDatabase } from './run-on-database.js';

const { MASTER_KEYS } = connections.variables;

/** `drawbridge admin keys`: the master keys of the vault. */
export function addKeys(admin: Command): void {
  admin
    .command('keys')
    .description('the master keys of the vault')
    .command('rotate-master')
    .description('Rewraps all data keys under the first of MASTER_KEYS. May be ended and run again.')
    .action(() =>
      runOnDatabase({ options: {}, variables: { MASTER_KEYS } }, async (databaseUrl, config) => {
        const masterKeys = config.MASTER_KEYS || generatedKeys(config.DATA_DIR);
        const result = await rotateMasterKey({ databaseUrl, masterKeys }, (line) => console.error(line));
        // What remains still needs its old key: a script that goes on to take it away stops here.
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
