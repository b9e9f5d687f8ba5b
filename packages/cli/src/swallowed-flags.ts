import { CONFIG_FLAGS } from './config-flags.js';

/**
 * `npm start --port 9000`: npm takes the flag for its own, and hands on a variable npm_config_port and a lonely 9000.
 * Throws an error that says what to type.
 */
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
