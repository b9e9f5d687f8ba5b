import { wanted as connections } from '@drawbridge/connections';
import { wanted as execution } from '@drawbridge/execution';
import { wanted as members } from '@drawbridge/members';
import { type Checks, type Config, readConfig, VARIABLES } from '@drawbridge/rpc';
import { Option } from 'commander';
import { requireUsableFolder } from './data-dir.js';

const OPTIONS = Object.entries(VARIABLES).map(([variable, { desc }]) => ({
  variable,
  option: new Option(`--${variable.toLowerCase().replaceAll('_', '-')} <value>`, desc),
}));

/** Nothing is required here: what a service of its own must be given, all in one makes. */
const CHECKS: Checks = {
  ...members.checks,
  ...connections.checks,
  ...execution.checks,
  DATA_DIR: requireUsableFolder,
};

/** A flag for each variable of the product: `--data-dir` is DATA_DIR. */
export const CONFIG_FLAGS = OPTIONS.map(({ option }) => option);

/** The environment's configuration; a flag that was given wins. */
export function configWith(flags: Record<string, string>): Config {
  const given = OPTIONS.map(({ variable, option }) => [variable, flags[option.attributeName()]]);
  const env = { ...process.env, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
  return readConfig(env, { checks: CHECKS });
}
