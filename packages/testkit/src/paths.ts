import { existsSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** The services that run as a process of their own; the gateway last, because it is the one that answers callers. */
export const SERVICES = ['members', 'catalog', 'connections', 'execution', 'gateway'].filter(isBuilt);

export type ServiceName = string;

export function serviceCommand(service: ServiceName): string[] {
  return [process.execPath, join(ROOT, `services/${service}/dist/main.js`)];
}

export function cliCommand(...args: string[]): string[] {
  const cli = join(ROOT, 'packages/cli/dist/main.js');
  const standIn = join(ROOT, 'e2e/support/all-in-one.mjs');
  return [process.execPath, existsSync(cli) ? cli : standIn, ...args];
}

export const KAFKA_SCRIPT = join(ROOT, 'scripts/kafka.mjs');

function isBuilt(service: string): boolean {
  return existsSync(join(ROOT, `services/${service}/dist/main.js`));
}
