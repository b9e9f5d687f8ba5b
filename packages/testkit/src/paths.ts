import { join } from 'node:path';
import { type ServiceName } from '@drawbridge/contracts';

const ROOT = join(import.meta.dirname, '../../..');

/** `services` has a folder for each. */
export function serviceCommand(service: ServiceName, services = join(ROOT, 'services')): string[] {
  return [process.execPath, join(services, service, 'dist/main.js')];
}

export function cliCommand(...args: string[]): string[] {
  return [process.execPath, join(ROOT, 'packages/cli/dist/main.js'), ...args];
}

export const KAFKA_SCRIPT = join(ROOT, 'scripts/kafka.mjs');
