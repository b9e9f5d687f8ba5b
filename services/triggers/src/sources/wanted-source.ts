import { invalid, metadataProblem } from '@drawbridge/contracts';
import { type EnableTriggerRequest } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { headerProblems, type Problems } from './callback-headers.js';

/** As JSON: a connection's settings and a partial's values are held to the same. */
const MAX_INPUT_BYTES = 64 * 1024;

/** What is wrong with it before anybody is asked. `denies`: why nobody may be called there. Throws VALIDATION_ERROR, of all at once. */
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

/** What partials made of it counts, too. */
export function sizeProblem(input: object): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(input));
  return bytes > MAX_INPUT_BYTES ? `must be at most ${MAX_INPUT_BYTES} bytes as JSON, is ${bytes}` : undefined;
}

function problemAt(path: string, problem: string | undefined): Problems {
  return problem === undefined ? [] : [[path, problem]];
}
