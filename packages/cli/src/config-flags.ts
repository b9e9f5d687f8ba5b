import { type Config, readConfig } from '@drawbridge/rpc';
import { Option } from 'commander';
import { requireUsableFolder } from './data-dir.js';
import { VARIABLES } from './variables.js';

export type AllConfig = Config<typeof VARIABLES>;

const OPTIONS = Object.entries(VARIABLES).map(([variable, { desc }]) => ({
  variable,
  option: new Option(`--${variable.toLowerCase().replaceAll('_', '-')} <value>`, desc),
}));

/** A flag for each variable of the product: `--data-dir` is DATA_DIR. */
export const CONFIG_FLAGS = OPTIONS.map(({ option }) => option);

/** The environment's configuration; a flag that was given wins. */
export function configWith(flags: Record<string, string>): AllConfig {
  const given = OPTIONS.map(({ variable, option }) => [variable, flags[option.attributeName()]]);
  const env = { ...process.env, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
  const DATA_DIR = { ...VARIABLES.DATA_DIR, check: requireUsableFolder };
  // What a process of its own must be given, all in one makes.
  return readConfig(env, { ...VARIABLES, DATA_DIR }, true);
}
