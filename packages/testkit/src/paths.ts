import { join } from 'node:path';
import { type ServiceName } from '@drawbridge/contracts';

const ROOT = join(import.meta.dirname, '../../..');

/** `services` contains a folder per service. */
export function serviceCommand(service: ServiceName, services = join(ROOT, 'services')): string[] {
  return [process.execPath, join(services, service, 'dist/main.js')];
}

export function cliCommand(args: string[], cli = join(ROOT, 'packages/cli/dist/main.js')): string[] {
  return [process.execPath, cli, ...args];
}

/** Commands for moto: installed by `.ci/run`, or in the PATH. */
export const MOTO = [join(ROOT, '.cache/moto/bin/moto_server'), 'moto_server'];
export const KAFKA_SCRIPT = join(ROOT, 'scripts/kafka.mjs');
