import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFailure } from '@drawbridge/rpc';
import { Command } from 'commander';
import { adminCommand } from './admin.js';
import { CONFIG_FLAGS, configWith, requireFlagsPassedOn } from './config-flags.js';
import { start } from './start.js';
import { runWorker } from './worker.js';

/**
 * Runs one command of `drawbridge`. `argv` excludes the name of the program. `script` is the file that calls this function; the additional processes
 * of `--processes` run it too. A failure sets the exit code.
 */
export async function main(argv: string[], script: string): Promise<void> {
  if (cluster.isWorker) return runWorker();
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  const program = new Command('drawbridge').description('The open integration gateway.').version(version);
  program.addCommand(startCommand(script).version(version), { isDefault: true });
  program.addCommand(adminCommand());
  try {
    if (argv[0] === 'start') requireFlagsPassedOn(argv.slice(1), process.env);
    const isAdminAlone = argv.length === 1 && argv[0] === 'admin';
    await program.parseAsync(isAdminAlone ? ['admin', '--help'] : argv, { from: 'user' });
  } catch (error) {
    console.error(startFailure(error));
    process.exit(1);
  }
}

function startCommand(script: string): Command {
  const command = new Command('start').description('Runs every service, in one process or in `--processes`.');
  for (const flag of CONFIG_FLAGS) command.addOption(flag);
  return command.action((flags: Record<string, string>) => start(configWith(flags), script));
}
