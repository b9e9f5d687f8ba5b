import { member, ProviderError, type JsonValue } from '@drawbridge/piece-kit';

/** What a mutation made. Throws ProviderError where it says that it did nothing, without a word about why. */
export function resultOf(body: JsonValue, mutation: string, name: string): JsonValue {
  const payload = member(body, 'data', mutation);
  if (member(payload, 'success') === false) throw new ProviderError('Linear did nothing, and does not say why');
  return member(payload, name) ?? {};
}
