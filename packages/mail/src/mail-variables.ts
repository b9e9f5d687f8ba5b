import { baseUrl, text, type Variables } from '@drawbridge/rpc';
import { requireSender, requireSmtpUrl } from './mail-settings.js';

/** What a service that sends mail reads of the environment. */
export const MAIL_VARIABLES = {
  BASE_URL: baseUrl({ default: '', desc: 'How callers and browsers reach the gateway. Default: http://HOST:PORT.' }),
  SMTP_URL: {
    ...text({
      default: '',
      desc: 'Sends mail: `smtp://user:password@host:587` (STARTTLS), or `smtps://…`; `?requireTLS=false` to send without. Wants MAIL_FROM and BASE_URL. Default: no mail.',
    }),
    isSecret: true,
    check: (url: string): void => requireSmtpUrl(url),
  },
  MAIL_FROM: {
    ...text({ default: '', desc: 'Who mail comes from: `Acme <no-reply@acme.example>`, or the address alone.' }),
    check: (sender: string): void => requireSender(sender),
  },
} satisfies Variables;
