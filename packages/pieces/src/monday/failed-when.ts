import { graphqlFailure, type JsonValue, type StatedFailure, textAt } from '@drawbridge/piece-kit';

/** The error codes of temporary limits, after which a later request can succeed: https://developer.monday.com/api-reference/docs/error-handling */
export const LIMITS = [
  'COMPLEXITY_BUDGET_EXHAUSTED',
  'ComplexityException',
  'RATE_LIMIT_EXCEEDED',
  'Rate Limit Exceeded',
  'FIELD_MINUTE_RATE_LIMIT_EXCEEDED',
  'FIELD_LIMIT_EXCEEDED',
  'IP_RATE_LIMIT_EXCEEDED',
  'maxConcurrencyExceeded',
  'MAX_CONCURRENCY_EXCEEDED',
];

/** Returns the failure in a response. The API outside of GraphQL returns one error code instead of a list of errors. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const code = textAt(body, 'error_code');
  return graphqlFailure(body) ?? (code ? { code, message: textAt(body, 'error_message') } : undefined);
}
