import { invalid } from '@drawbridge/contracts';

/** When a key that is made now stops working; null: never. Throws VALIDATION_ERROR on a time that is none or has passed. */
export function toExpiry(text: string | undefined): Date | null {
  const expiresAt = text === undefined ? null : new Date(text);
  if (expiresAt && !(expiresAt.getTime() > Date.now())) throw invalid({ expiresAt: 'must be a time to come' });
  return expiresAt;
}
