import { invalid } from '@drawbridge/contracts';
import { InviteMemberRequestMaxLength } from '@drawbridge/proto/drawbridge/members/v1/invitations';

const MAX_LOCAL_PART = 64;
/** Maximum length in the envelope of an email (RFC 5321, 4.5.3.1.3). */
const { email: MAX_EMAIL } = InviteMemberRequestMaxLength;

/** The pattern that browsers use, with ASCII letters and domains in Punycode: https://html.spec.whatwg.org/#valid-e-mail-address */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Returns an email address in the form in which it is stored and compared: trimmed and in lower case. Throws VALIDATION_ERROR on `email`. */
export function toEmail(given: string): string {
  const email = given.trim();
  // Validates before the change of case, which turns some non-ASCII letters into ASCII letters.
  if (email.length > MAX_EMAIL || !EMAIL.test(email) || email.indexOf('@') > MAX_LOCAL_PART) throw noEmail();
  return email.toLowerCase();
}

/**
 * Returns a string to compare with stored email addresses, even if it is not a valid address. Sign-in uses it: the error must not reveal whether the
 * address or the password is wrong. Throws VALIDATION_ERROR on `email` if it is longer than an email address can be.
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
