import { invalid, metadataProblem } from '@drawbridge/contracts';
import { type EnableTriggerRequest } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { headerProblems, type Problems } from './callback-headers.js';

/** Limits the input as JSON; a connection's settings and a partial's values have the same limit. */
const MAX_INPUT_BYTES = 64 * 1024;

/**
 * Validates a request before any service is called. `denies` returns why a URL may not be called. Throws VALIDATION_ERROR with all problems at once.
 */
export function requireWanted(request: EnableTriggerRequest, denies: (url: string) => string | undefined): void {
  const { callbackUrl, callbackHeaders = {}, callbackMetadata = {}, input = {} } = request;
  const problems: Problems = [
    ...problemAt('callbackUrl', denies(callbackUrl)),
    ...headerProblems(callbackHeaders),
    ...problemAt('callbackMetadata', metadataProblem(callbackMetadata)),
    ...problemAt('input', sizeProblem(input)),
  ];
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
}

/** Also limits the input after partials were merged into it. */
export function sizeProblem(input: object): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(input));
  return bytes > MAX_INPUT_BYTES ? `must be at most ${MAX_INPUT_BYTES} bytes as JSON, is ${bytes}` : undefined;
}

function problemAt(path: string, problem: string | undefined): Problems {
  return problem === undefined ? [] : [[path, problem]];
}
