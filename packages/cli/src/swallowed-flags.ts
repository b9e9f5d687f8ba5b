import { CONFIG_FLAGS } from './config-flags.js';

/** Detects `npm start --port 9000`: npm consumes the flag, sets npm_config_port and passes on only 9000. Throws an error with the correct command. */
export function requireFlagsPassedOn(args: string[], env: NodeJS.ProcessEnv): void {
  if (env['npm_lifecycle_event'] !== 'start') return;
  const values = args.filter((arg) => !arg.startsWith('-'));
  const swallowed = CONFIG_FLAGS.flatMap(({ long }) => {
    const value = env[`npm_config_${long?.slice(2).replaceAll('-', '_')}`];
    return value === undefined ? [] : [`${long} ${value === 'true' ? (values.shift() ?? '…') : value}`];
  });
  if (swallowed.length > 0)
    throw new Error(`npm kept these flags for itself. Type: npm start -- ${swallowed.join(' ')}`);
}
