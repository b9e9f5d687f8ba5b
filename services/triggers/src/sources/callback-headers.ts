/** Where something stands in the body, and what is wrong with it. */
export type Problems = [path: string, problem: string][];

const MAX_HEADERS = 20;
/** Of all names and values together. */
const MAX_BYTES = 8 * 1024;

/** RFC 9110, 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110, 5.5, of ASCII: what else there is, two servers read in two ways. */
const VALUE = /^[\t\x20-\x7e]*$/;

/** HTTP's own, which say how this one message travels, and what says of which type and for whom it is. */
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
/** Ours, by which receivers know who sent it, and a proxy's. */
const OURS = /^(webhook-|x-svc-|proxy-)/;

/** What is wrong with the headers that a caller wants on its callbacks. */
export function headerProblems(headers: Readonly<Record<string, unknown>>): Problems {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS)
    return [['callbackHeaders', `must be at most ${MAX_HEADERS}, are ${entries.length}`]];
  const bytes = Buffer.byteLength(JSON.stringify(headers));
  if (bytes > MAX_BYTES) return [['callbackHeaders', `must be at most ${MAX_BYTES} bytes as JSON, are ${bytes}`]];
  const names = entries.map(([name]) => name.toLowerCase());
  return entries.flatMap(([name, value], index): Problems => {
    const isRepeated = names.indexOf(name.toLowerCase()) < index;
    const problem = isRepeated ? 'is given twice' : (nameProblem(name.toLowerCase()) ?? valueProblem(value));
    return problem === undefined ? [] : [[`callbackHeaders.${name}`, problem]];
  });
}

function nameProblem(name: string): string | undefined {
  if (!NAME.test(name)) return 'is no name of a header';
  return OF_HTTP.has(name) || OURS.test(name) ? 'is reserved' : undefined;
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a text';
  return VALUE.test(value) ? undefined : 'must be of printable ASCII characters';
}
