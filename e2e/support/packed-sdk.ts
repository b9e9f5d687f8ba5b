import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const SDK = join(import.meta.dirname, '../../packages/sdk-typescript');

const run = promisify(execFile);

/** Packs the SDK and installs it into a new program, without a registry. Returns the folder of the program: remove it at the end. */
export async function installedSdk(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: SDK });
  const [{ filename }] = JSON.parse(stdout);
  writeFileSync(join(folder, 'package.json'), '{ "name": "program", "private": true, "type": "module" }');
  const options = ['--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  await run('npm', ['install', ...options, join(folder, filename)], { cwd: folder });
  return folder;
}
