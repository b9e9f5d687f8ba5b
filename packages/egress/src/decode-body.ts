import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { codeOf, EgressError, tooLarge } from './egress-error.js';
import { type Answer, LARGE_BYTES } from './exchange.js';

const DECODERS = new Map([
  ['gzip', promisify(unzip)],
  ['x-gzip', promisify(unzip)],
  ['deflate', promisify(unzip)],
  ['br', promisify(brotliDecompress)],
]);

interface Decoding {
  maxBytes: number;
  makeRoom(): Promise<void>;
}

/**
 * Decodes gzip, deflate and br, because some servers compress responses although requests accept only the encoding `identity`. The decoded body never
 * exceeds `maxBytes` in memory. Throws TOO_LARGE, or INVALID_RESPONSE if decoding fails. Returns a body with any other encoding unchanged. If a body
 * of up to 64 KiB decodes to more, the function waits until `makeRoom` has reserved memory, and rejects if `makeRoom` rejects.
 */
export async function decodeBody(answer: Answer, { maxBytes, makeRoom }: Decoding): Promise<Answer> {
  const { 'content-encoding': coding = '', 'content-length': _, ...headers } = answer.headers;
  const decode = DECODERS.get(coding.toLowerCase());
  if (decode === undefined || answer.body.length === 0) return answer;

  const decodeUpTo = (most: number): Promise<Buffer> =>
    decode(answer.body, { maxOutputLength: most }).catch((error: unknown) => {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(most);
      throw new EgressError('INVALID_RESPONSE', `the response is not valid ${coding}`);
    });
  // A body that was already large before decoding has waited for `makeRoom`.
  const atOnce = Math.min(LARGE_BYTES, maxBytes);
  const small = answer.body.length > LARGE_BYTES ? undefined : await decodeUpTo(atOnce).catch(unlessLarge);
  if (!small && answer.body.length <= LARGE_BYTES) await makeRoom();
  return { ...answer, headers, body: small ?? (await decodeUpTo(maxBytes)) };
}

function unlessLarge(error: unknown): undefined {
  if (error instanceof EgressError && error.code === 'TOO_LARGE') return;
  throw error;
}
