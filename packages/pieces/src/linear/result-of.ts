import { member, ProviderError, type JsonValue } from '@drawbridge/piece-kit';

/** Returns the result of a mutation. Throws ProviderError if `success` is false. Linear gives no reason in that case. */
export function resultOf(body: JsonValue, mutation: string, name: string): JsonValue {
  const payload = member(body, 'data', mutation);
  if (member(payload, 'success') === false)
    throw new ProviderError('Linear did not apply the change and gave no reason');
  return member(payload, name) ?? {};
}
