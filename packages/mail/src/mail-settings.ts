import { type Config, GATEWAY_VARIABLES, text, type Variables } from '@drawbridge/rpc';
import { mailer, type SendMail } from './mail.js';
import { isMailLanguage, type MailLanguage, toMailLanguage } from './write-mail.js';
import { isEmail } from './to-email.js';

export function requireSmtpUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname && !url.hash && isKnownQuery(url)) return;
  throw new Error('must be smtp://user:password@host:587 or smtps://user:password@host:465');
}

/** TLS may be disabled only if the URL contains no password. */
function isKnownQuery({ search, username }: URL): boolean {
  return search === '' || (search === '?requireTLS=false' && username === '');
}

/** Accepts `Drawbridge <no-reply@acme.example>`, or only the address. Throws for any other text. */
export function requireSender(text: string): void {
  const [, name = '', inBrackets, alone] = /^([^<>@]*)<([^<>]+)>$|^([^<>]+)$/.exec(text) ?? [];
  if (/[\p{Cc}\p{Cf}]/u.test(name) || !isEmail(inBrackets ?? alone ?? '')) {
    throw new Error('must be an email address, or a name followed by <address>');
  }
}

function requireLanguage(language: string): void {
  if (!isMailLanguage(language)) throw new Error('must be en or de');
}

export const MAIL_VARIABLES = {
  BASE_URL: GATEWAY_VARIABLES.BASE_URL,
  SMTP_URL: {
    ...text({
      default: '',
      desc: 'Mail server: `smtp://user:password@host:587` (STARTTLS) or `smtps://…`; `?requireTLS=false` permits a connection without TLS. Requires MAIL_FROM and BASE_URL. Default: no email.',
    }),
    isSecret: true,
    requires: ['MAIL_FROM', 'BASE_URL'],
    check: (url: string): void => requireSmtpUrl(url),
  },
  MAIL_FROM: {
    ...text({ default: '', desc: 'Sender of emails: `Acme <no-reply@acme.example>` or an address.' }),
    check: (sender: string): void => requireSender(sender),
  },
  MAIL_LANGUAGE: {
    ...text({ default: 'en', desc: 'Language of emails to people with an unknown language: `en` or `de`.' }),
    check: (language: string): void => requireLanguage(language),
  },
} satisfies Variables;

export interface ConfiguredMail {
  send: SendMail;
  /** The base URL of links. */
  baseUrl: string;
  /** The language of emails to people with an unknown language. */
  language: MailLanguage;
}

/** Returns the operator's email configuration, or undefined if no email is sent. */
export function configuredMail(config: Config<typeof MAIL_VARIABLES>): ConfiguredMail | undefined {
  const { SMTP_URL, MAIL_FROM, BASE_URL, MAIL_LANGUAGE } = config;
  const language = toMailLanguage(MAIL_LANGUAGE);
  return SMTP_URL ? { send: mailer(SMTP_URL, MAIL_FROM), baseUrl: BASE_URL, language } : undefined;
}
