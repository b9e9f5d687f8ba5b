import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export const SERVICES = ['members', 'catalog', 'connections', 'execution', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

export function serviceCommand(service: ServiceName): string[] {
  return [process.execPath, join(ROOT, `services/${service}/dist/main.js`)];
}

export function cliCommand(...args: string[]): string[] {
  return [process.execPath, join(ROOT, 'packages/cli/dist/main.js'), ...args];
}

export const KAFKA_SCRIPT = join(ROOT, 'scripts/kafka.mjs');
