import { codeOf, EgressError, type EgressCode } from './egress-error.js';

const NOT_HTTP = /^(HPE_|HTTPParserError|UND_ERR_RES)/;

/** Converts an error of undici, our connector or a limit. Keeps only the code of a foreign error. */
export function explainFailure(error: unknown, { host, sent }: { host: string; sent: boolean }): EgressError {
  if (error instanceof EgressError) return new EgressError(error.code, error.reason, host, sent);
  const foreignCode = codeOf(error);
  const [code, reason] = explain(foreignCode);
  return new EgressError(code, `${reason} (${foreignCode})`, host, sent);
}

function explain(foreignCode: string): [EgressCode, string] {
  if (foreignCode === 'UND_ERR_INVALID_ARG') return ['INVALID_REQUEST', 'the method or a header is not valid HTTP'];
  if (foreignCode === 'TOO_BUSY') return ['TOO_BUSY', 'too many requests of this organization wait already'];
  if (foreignCode === 'UND_ERR_HEADERS_OVERFLOW') return ['TOO_LARGE', 'the headers of the answer are too large'];
  if (NOT_HTTP.test(foreignCode)) return ['INVALID_RESPONSE', 'the answer is not valid HTTP'];
  return ['UNREACHABLE', 'the connection was lost'];
}
