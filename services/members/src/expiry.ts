import { invalid } from '@drawbridge/contracts';

/** Returns when a new key expires; null: never. Throws VALIDATION_ERROR for an invalid or past time. */
export function toExpiry(text: string | undefined): Date | null {
  const expiresAt = text === undefined ? null : new Date(text);
  if (expiresAt && !(expiresAt.getTime() > Date.now())) throw invalid({ expiresAt: 'must be a time to come' });
  return expiresAt;
}
