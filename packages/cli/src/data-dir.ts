import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newApiKey } from '@drawbridge/contracts';

/** The folder of an all-in-one installation: what it generates, it keeps here, for its owner alone. */
export interface DataDir {
  path: string;
  /** MASTER_KEYS for an operator who gave none. */
  masterKeys(): string;
  /** BOOTSTRAP_API_KEY for an operator who gave none; `isNew` on the first call ever. */
  bootstrapKey(): { plainKey: string; isNew: boolean };
  /** Forgets a bootstrap key that opened nothing. */
  dropBootstrapKey(): void;
  bootstrapFile: string;
}

export function openDataDir(folder: string): DataDir {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const bootstrapFile = join(path, 'bootstrap.json');
  return {
    path,
    bootstrapFile,
    masterKeys: () => kept(join(path, 'master-keys'), () => `local:${randomBytes(32).toString('base64')}`),
    bootstrapKey: () => {
      const isNew = !existsSync(bootstrapFile);
      const { plainKey } = JSON.parse(kept(bootstrapFile, () => JSON.stringify({ plainKey: newApiKey() })));
      return { plainKey, isNew };
    },
    dropBootstrapKey: () => rmSync(bootstrapFile, { force: true }),
  };
}

/** On disk before it is used: what is encrypted with a key that was lost in a crash is lost too. */
function kept(file: string, generate: () => string): string {
  if (!existsSync(file)) writeFileSync(file, generate(), { mode: 0o600, flush: true });
  return readFileSync(file, 'utf8');
}
