import { isEmail } from './to-email.js';

export function requireSmtpUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname && !url.hash && isKnownQuery(url)) return;
  throw new Error('must be smtp://user:password@host:587 or smtps://user:password@host:465');
}

/** TLS may be disabled only without a password. */
function isKnownQuery({ search, username }: URL): boolean {
  return search === '' || (search === '?requireTLS=false' && username === '');
}

/** Accepts `Drawbridge <no-reply@acme.example>`, or the address alone. Throws otherwise. */
export function requireSender(text: string): void {
  const [, name = '', inBrackets, alone] = /^([^<>@]*)<([^<>]+)>$|^([^<>]+)$/.exec(text) ?? [];
  if (/[\p{Cc}\p{Cf}]/u.test(name) || !isEmail(inBrackets ?? alone ?? '')) {
    throw new Error('must be an email address, or a name and <an address>');
  }
}
