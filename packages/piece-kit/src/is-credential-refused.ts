import type { Piece, Refusal } from './piece.js';
import type { ProviderError } from './provider-error.js';

const UNAUTHORIZED: readonly Refusal[] = [{ status: 401 }];

/**
 * Returns whether the provider refused the credential itself, not the request. Ignores the response of another origin after a
 * redirect, which did not get the credential.
 */
export function isCredentialRefused(
  { auth, origin, origins = [] }: Piece,
  { status, code, answeredBy }: ProviderError,
): boolean {
  if (!auth || (origin && answeredBy && ![origin, ...origins].includes(answeredBy))) return false;
  const { refusedWhen = UNAUTHORIZED } = auth;
  return refusedWhen.some(
    (refusal) =>
      (refusal.status === undefined || refusal.status === status) &&
      (refusal.code === undefined || refusal.code === code),
  );
}
