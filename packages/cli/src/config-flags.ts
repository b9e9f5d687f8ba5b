import { type Config, readConfig } from '@drawbridge/rpc';
import { Option } from 'commander';
import { requireUsableFolder } from './data-dir.js';
import { VARIABLES } from './variables.js';

export type AllConfig = Config<typeof VARIABLES>;

/** Flags that have a different name than their variable. */
const FLAGS: Readonly<Record<string, string>> = { WEB_CONCURRENCY: 'processes' };

const OPTIONS = Object.entries(VARIABLES).map(([variable, { desc }]) => ({
  variable,
  option: new Option(`--${FLAGS[variable] ?? variable.toLowerCase().replaceAll('_', '-')} <value>`, desc),
}));

/** One flag per variable of the product: `--data-dir` is DATA_DIR, and `--processes` is WEB_CONCURRENCY. */
export const CONFIG_FLAGS = OPTIONS.map(({ option }) => option);

/** Returns the configuration from the environment and the flags, which take precedence. */
export function configWith(flags: Record<string, string>): AllConfig {
  const given = OPTIONS.map(({ variable, option }) => [variable, flags[option.attributeName()]]);
  const env = { ...process.env, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
  const DATA_DIR = { ...VARIABLES.DATA_DIR, check: requireUsableFolder };
  // No variable is required, because the all-in-one process generates the secrets that separate processes require.
  return readConfig(env, { ...VARIABLES, DATA_DIR }, true);
}

/**
 * Detects `npm start --port 9000`: npm consumes the flag, sets npm_config_port and passes only 9000 to the program. Throws an error with the correct
 * command.
 */
export function requireFlagsPassedOn(args: string[], env: NodeJS.ProcessEnv): void {
  if (env['npm_lifecycle_event'] !== 'start') return;
  const values = args.filter((arg) => !arg.startsWith('-'));
  const swallowed = CONFIG_FLAGS.flatMap(({ long }) => {
    const value = env[`npm_config_${long?.slice(2).replaceAll('-', '_')}`];
    return value === undefined ? [] : [`${long} ${value === 'true' ? (values.shift() ?? '…') : value}`];
  });
  if (swallowed.length > 0)
    throw new Error(`npm did not pass these flags on. Run: npm start -- ${swallowed.join(' ')}`);
}
