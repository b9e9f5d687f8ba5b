import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { codeOf, EgressError, tooLarge } from './egress-error.js';
import type { Answer } from './exchange.js';

const DECODERS = new Map([
  ['gzip', promisify(unzip)],
  ['x-gzip', promisify(unzip)],
  ['deflate', promisify(unzip)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * We ask for identity, but some servers compress whatever is asked. Decodes gzip, deflate and br without ever holding more
 * than `maxBytes` (else TOO_LARGE; INVALID_RESPONSE if it can't be decoded); any other coding is handed on as it came.
 */
export async function decodeBody(answer: Answer, maxBytes: number): Promise<Answer> {
  const { 'content-encoding': coding = '', 'content-length': _, ...headers } = answer.headers;
  const decode = DECODERS.get(coding.toLowerCase());
  if (decode === undefined || answer.body.length === 0) return answer;

  try {
    return { ...answer, headers, body: await decode(answer.body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isBomb = codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    throw isBomb ? tooLarge(maxBytes) : new EgressError('INVALID_RESPONSE', `the answer is not valid ${coding}`);
  }
}
