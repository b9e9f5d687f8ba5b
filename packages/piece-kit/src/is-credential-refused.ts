import type { Piece, Refusal } from './piece.js';
import type { ProviderError } from './provider-error.js';

const UNAUTHORIZED: readonly Refusal[] = [{ status: 401 }];

/**
 * Whether the third party refused the credential itself, and not what was asked for with it. Never by what another origin
 * answered after a redirect: the credential did not go there.
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
