import { invalid } from '@drawbridge/contracts';
import { InviteMemberRequestMaxLength } from '@drawbridge/proto/drawbridge/members/v1/invitations';

const MAX_LOCAL_PART = 64;
/** What a mail's envelope holds (RFC 5321, 4.5.3.1.3). */
const { email: MAX_EMAIL } = InviteMemberRequestMaxLength;

/** What a browser takes for one (https://html.spec.whatwg.org/#valid-e-mail-address): letters of ASCII, domains in Punycode. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** An email as it is kept and compared: without the spaces around it, in lower case. Fails with VALIDATION_ERROR on `email`. */
export function toEmail(given: string): string {
  const email = given.trim();
  // Before the change of case, which turns some letters of elsewhere into ones of ASCII.
  if (email.length > MAX_EMAIL || !EMAIL.test(email) || email.indexOf('@') > MAX_LOCAL_PART) throw noEmail();
  return email.toLowerCase();
}

/**
 * What may be compared with an email that is kept, though it is none: for who must not learn what is wrong. Fails with
 * VALIDATION_ERROR on `email` when it is longer than one can be.
 */
export function toComparableEmail(given: string): string {
  const email = given.trim().toLowerCase();
  if (email.length > MAX_EMAIL) throw noEmail();
  return email;
}

const noEmail = () => invalid({ email: 'must be an email address' });

export function isEmail(text: string): boolean {
  try {
    return toEmail(text) !== '';
  } catch {
    return false;
  }
}
