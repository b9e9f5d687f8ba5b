import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeMajor } from './binaries.js';

/** Throws an error with instructions if another major version created the database: PostgreSQL cannot read it. */
export function requireSameVersion(data: string, dataDir: string): void {
  const file = join(data, 'PG_VERSION');
  const made = existsSync(file) ? readFileSync(file, 'utf8').trim() : nativeMajor();
  if (made === nativeMajor()) return;
  throw new Error(
    `DATA_DIR ${dataDir}: its database is of PostgreSQL ${made}, this version of Drawbridge brings ${nativeMajor()}. ` +
      'Start the version that made it and dump the database (docs/operating.md), or give another DATA_DIR.',
  );
}
