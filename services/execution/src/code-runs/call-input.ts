import { invalid, requireParsable, storageProblems } from '@drawbridge/contracts';
import { type JsonObject } from '@drawbridge/piece-kit';
import { HostError, type JsonValue } from '@drawbridge/sandbox';

/**
 * Converts the arguments of `svc.<alias>.<action>(…)` to the input of the action. Throws HostError for anything but one object, and VALIDATION_ERROR
 * for an input that cannot be stored.
 */
export function toInput(path: string, args: JsonValue[]): JsonObject {
  const [input = {}] = args;
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  if (isObject && args.length <= 1) return requireStorable(input as JsonObject);
  const got =
    args.length > 1
      ? `${args.length} arguments`
      : input === null
        ? 'null'
        : Array.isArray(input)
          ? 'a list'
          : `a ${typeof input}`;
  const message = `svc.${path} takes one object with the input of the action, for example svc.${path}({}) (got ${got}).`;
  throw new HostError(message, { code: 'VALIDATION_ERROR' });
}

/** Applies the limits of API requests to the input of a call. Throws VALIDATION_ERROR. */
function requireStorable(input: JsonObject): JsonObject {
  requireParsable(Buffer.from(JSON.stringify(input)));
  const problems = storageProblems(input);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return input;
}
