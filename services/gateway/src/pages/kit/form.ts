import { ApiError, cutText, hashToken, invalid, isId } from '@drawbridge/contracts';
import { type Browser } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Request } from 'express';
import { clientNetwork } from '../../admission/concurrency-limits.js';
import { secretCookie, secretIn } from '../../auth/secret-cookies.js';
import { LARGE_BYTES, readBodyOutside } from '../../http/read-body.js';
import { type Site } from '../../http/site.js';
import { type Asked, type PageKit } from './page-kit.js';
import { mediaTypeOf } from '../../http/require-headers.js';

/**
 * Reads one of Drawbridge's own forms; an absent field is an empty string. The limit is the largest body that needs no separate slot, and is enough
 * for a certificate chain with its key. Throws FORBIDDEN for a form of another site, and VALIDATION_ERROR.
 */
export async function readForm(request: Request, site: Site): Promise<(name: string) => string> {
  site.requireSameOrigin(request);
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded')
    throw invalid({ 'Content-Type': 'must be application/x-www-form-urlencoded' });
  const bytes = await readBodyOutside(request, LARGE_BYTES);
  const fields = new URLSearchParams(bytes.toString('utf8'));
  return (name) => (fields.get(name) ?? '').replaceAll('\0', '');
}

/** Returns an id from one of Drawbridge's own forms. Throws NOT_FOUND for any other text. */
export function requireId(text: string): string {
  if (!isId(text)) throw new ApiError('NOT_FOUND', 'No such id');
  return text;
}

const HOME = '/account';
const MAX_CHARACTERS = 2_000;

/** Returns the path to redirect to after sign-in: a path of this site, or the account page. Never returns another site, whatever a link contains. */
export function returnTo(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_CHARACTERS || !isOurs(given)) return HOME;
  const { pathname, search } = new URL(given, 'http://us.invalid');
  // Checked again, because parsing removes dot segments: `/.//elsewhere` becomes `//elsewhere`.
  return isOurs(pathname) ? pathname + search : HOME;
}

/**
 * Returns whether a path belongs to this site: a host follows two leading slashes. Accepts only ASCII without spaces and without backslashes, which
 * browsers treat as slashes.
 */
const isOurs = (path: string): boolean => /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(path);

const MAX_USER_AGENT = 300;

/** Returns the browser and the network of a sign-in. Sets the browser cookie. */
export function browserOf(
  { site }: Pick<PageKit, 'site'>,
  { request, response }: Pick<Asked, 'request' | 'response'>,
): Browser {
  const { ip = '' } = request;
  return {
    address: ip,
    network: clientNetwork(ip),
    userAgent: cutText(request.get('user-agent') ?? '', MAX_USER_AGENT),
    id: hashToken(secretIn(secretCookie(site, 'browser'), { request, response })),
  };
}
