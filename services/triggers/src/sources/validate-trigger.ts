import { invalid, metadataProblem } from '@drawbridge/contracts';
import { type EnableTriggerRequest } from '@drawbridge/proto/drawbridge/triggers/v1/sources';

/** Maximum size of the input of a trigger, in bytes of JSON. The values of an input partial have the same limit. */
const MAX_INPUT_BYTES = 64 * 1024;

/**
 * Validates a request before any service is called. `denies` returns the reason why a callback URL is not allowed, if any. Throws VALIDATION_ERROR
 * with all problems.
 */
export function requireWanted(request: EnableTriggerRequest, denies: (url: string) => string | undefined): void {
  const { callbackUrl, callbackHeaders = {}, callbackMetadata = {}, input = {} } = request;
  const problems: Problems = [
    ...problemAt('callbackUrl', callbackUrl && denies(callbackUrl)),
    ...headerProblems(callbackHeaders),
    ...problemAt('callbackMetadata', metadataProblem(callbackMetadata)),
    ...problemAt('input', sizeProblem(input)),
  ];
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
}

/** Returns the problem of an input that is too large. Called again after partials were merged into the input. */
export function sizeProblem(input: object): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(input));
  return bytes > MAX_INPUT_BYTES ? `must be at most ${MAX_INPUT_BYTES} bytes as JSON (got ${bytes})` : undefined;
}

function problemAt(path: string, problem: string | undefined): Problems {
  return problem === undefined ? [] : [[path, problem]];
}

/** Pairs of a path in the request body and its problem. */
type Problems = [path: string, problem: string][];

const MAX_HEADERS = 20;
/** Maximum size of the names and values of all callback headers together, in bytes of JSON. */
const MAX_BYTES = 8 * 1024;

/** The characters of a header name (RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The characters of a header value (RFC 9110, section 5.5), but only ASCII, because servers interpret other characters differently. */
const VALUE = /^[\t\x20-\x7e]*$/;

/** Headers that a caller cannot configure, because they describe the HTTP message, its content type or its host. */
const OF_HTTP = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Matches headers that a caller cannot configure: headers with which receivers identify Drawbridge, and headers of proxies. */
const OURS = /^(webhook-|x-svc-|proxy-)/;

/** Returns the problems of the callback headers of a request. */
export function headerProblems(headers: Readonly<Record<string, unknown>>): Problems {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS)
    return [['callbackHeaders', `must have at most ${MAX_HEADERS} headers (got ${entries.length})`]];
  const bytes = Buffer.byteLength(JSON.stringify(headers));
  if (bytes > MAX_BYTES) return [['callbackHeaders', `must be at most ${MAX_BYTES} bytes as JSON (got ${bytes})`]];
  const names = entries.map(([name]) => name.toLowerCase());
  return entries.flatMap(([name, value], index): Problems => {
    const isRepeated = names.indexOf(name.toLowerCase()) < index;
    const problem = isRepeated ? 'is repeated' : (nameProblem(name.toLowerCase()) ?? valueProblem(value));
    return problem === undefined ? [] : [[`callbackHeaders.${name}`, problem]];
  });
}

function nameProblem(name: string): string | undefined {
  if (!NAME.test(name)) return 'is not a valid header name';
  return OF_HTTP.has(name) || OURS.test(name) ? 'is reserved' : undefined;
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  return VALUE.test(value) ? undefined : 'must contain only printable ASCII characters';
}
