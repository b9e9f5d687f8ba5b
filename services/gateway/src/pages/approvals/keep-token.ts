import { APPROVAL_COOKIE, approvalCookie, forgetOldest } from '../../auth/secret-cookies.js';
import { type Asked, type Onward, type PageKit } from '../kit/page-kit.js';

/** What leads to a request goes into a cookie of this browser: no address has it from here on. */
export function keepToken(
  { site }: PageKit,
  { request, response }: Pick<Asked, 'request' | 'response'>,
  { id, token }: { id: string; token: string },
): Onward {
  forgetOldest(APPROVAL_COOKIE, { request, response, site });
  approvalCookie(site, id).set(response, token);
  return { to: `/approvals/${id}` };
}
