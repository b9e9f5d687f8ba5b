import { GATEWAY_VARIABLES, text, type Variables } from '@drawbridge/rpc';
import { requireSender, requireSmtpUrl } from './mail-settings.js';

export const MAIL_VARIABLES = {
  BASE_URL: GATEWAY_VARIABLES.BASE_URL,
  SMTP_URL: {
    ...text({
      default: '',
      desc: 'Sends mail: `smtp://user:password@host:587` (STARTTLS), or `smtps://…`; `?requireTLS=false` to send without. Wants MAIL_FROM and BASE_URL. Default: no mail.',
    }),
    isSecret: true,
    requires: ['MAIL_FROM', 'BASE_URL'],
    check: (url: string): void => requireSmtpUrl(url),
  },
  MAIL_FROM: {
    ...text({ default: '', desc: 'Who mail comes from: `Acme <no-reply@acme.example>`, or the address alone.' }),
    check: (sender: string): void => requireSender(sender),
  },
} satisfies Variables;
