import { APPROVAL_COOKIE, approvalCookie, forgetOldest } from '../../auth/secret-cookies.js';
import { type Asked, type Onward, type PageKit } from '../kit/page-kit.js';

/** Moves the token of a link to a cookie, so that no later URL contains it. */
export function keepToken(
  { site }: PageKit,
  { request, response }: Pick<Asked, 'request' | 'response'>,
  { id, token }: { id: string; token: string },
): Onward {
  forgetOldest(APPROVAL_COOKIE, { request, response, site });
  approvalCookie(site, id).set(response, token);
  return { to: `/approvals/${id}` };
}
