import { invalid } from '@drawbridge/contracts';
import { InviteMemberRequestMaxLength } from '@drawbridge/proto/drawbridge/members/v1/invitations';

const MAX_LOCAL_PART = 64;
/** Limit of a mail's envelope (RFC 5321, 4.5.3.1.3). */
const { email: MAX_EMAIL } = InviteMemberRequestMaxLength;

/** The pattern of browsers (https://html.spec.whatwg.org/#valid-e-mail-address): ASCII letters, domains in Punycode. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Returns an email as it is stored and compared: trimmed, in lower case. Throws VALIDATION_ERROR on `email`. */
export function toEmail(given: string): string {
  const email = given.trim();
  // Validate before the change of case, which turns some non-ASCII letters into ASCII ones.
  if (email.length > MAX_EMAIL || !EMAIL.test(email) || email.indexOf('@') > MAX_LOCAL_PART) throw noEmail();
  return email.toLowerCase();
}

/**
 * Returns a text to compare with stored emails, even if it is not a valid email: some callers must not learn why it is wrong. Throws
 * VALIDATION_ERROR on `email` if it is longer than an email can be.
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
