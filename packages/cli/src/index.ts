import { startFailure } from '@drawbridge/rpc';
import { Command } from 'commander';
import { adminCommand } from './admin.js';
import { CONFIG_FLAGS, configWith } from './config-flags.js';
import { start } from './start.js';

/** Runs one command of `drawbridge`; `argv` is what stands after the program's name. Failures set the exit code. */
export async function main(argv: string[]): Promise<void> {
  const program = new Command('drawbridge').description('The open integration gateway.');
  program.addCommand(startCommand());
  program.addCommand(adminCommand());
  await program.parseAsync(argv, { from: 'user' });
}

function startCommand(): Command {
  const command = new Command('start').description('Runs every service in this process.');
  for (const flag of CONFIG_FLAGS) command.addOption(flag);
  return command.action(async (flags: Record<string, string>) => {
    try {
      await start(configWith(flags));
    } catch (error) {
      console.error(startFailure(error));
      process.exit(1);
    }
  });
}
