// In the shape `processes` the services run as their images hold them, each from one file: it starts with half the work.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SERVICES } from '@drawbridge/contracts';

const BUNDLE = join(import.meta.dirname, '../../deploy/bundle.mjs');

/** A folder that has them, of this run alone. */
export async function bundledServices() {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bundles-'));
  const bundle = (service) => promisify(execFile)(process.execPath, [BUNDLE, service, join(folder, service)]);
  await Promise.all(SERVICES.map(bundle));
  return { folder, discard: () => rmSync(folder, { recursive: true, force: true }) };
}
