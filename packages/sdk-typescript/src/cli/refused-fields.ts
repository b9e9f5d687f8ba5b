import { ApiError } from '../api-error.js';
import { type JsonSchema } from '../json-schema.js';
import { UsageError } from './command.js';
import { type FlagSpec } from './flags.js';

/** Returns an error that names the flags of the fields which the server refuses. Returns any other error as it is. */
export function withFlags(
  error: unknown,
  target: string,
  specs: readonly FlagSpec[],
  { properties = {} }: JsonSchema,
): unknown {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') return error;
  const { fields = {} } = error.details as { fields?: Record<string, { message: string }> };
  const names = Object.keys(properties);
  const problems = Object.entries(fields).map(([path, { message }]) => {
    const field = names.find((name) => isWithin(path, `input.${name}`));
    return field === undefined
      ? `\n  ${path}: ${message}`
      : `\n  --${specs[names.indexOf(field)]!.name}: ${message} (${path})`;
  });
  if (problems.length === 0) return error;
  const advice = `Run \`drawbridge run ${target} --help\` for the fields.`;
  return new UsageError(`The input is not valid.${problems.join('')}\n${advice}`, { cause: error });
}

/** `input.labels[2]` and `input.labels.color` are within `input.labels`. */
const isWithin = (path: string, field: string): boolean =>
  path.startsWith(field) && ['', '.', '['].includes(path.charAt(field.length));
