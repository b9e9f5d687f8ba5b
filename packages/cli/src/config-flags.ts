import { type Config, readConfig, VARIABLES } from '@drawbridge/rpc';
import { Option } from 'commander';

const OPTIONS = Object.entries(VARIABLES).map(([variable, { desc }]) => ({
  variable,
  option: new Option(`--${variable.toLowerCase().replaceAll('_', '-')} <value>`, desc),
}));

/** A flag for each variable of the product: `--data-dir` is DATA_DIR. */
export const CONFIG_FLAGS = OPTIONS.map(({ option }) => option);

/** The environment's configuration; a flag that was given wins. */
export function configWith(flags: Record<string, string>): Config {
  const given = OPTIONS.map(({ variable, option }) => [variable, flags[option.attributeName()]]);
  return readConfig({ ...process.env, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) });
}
