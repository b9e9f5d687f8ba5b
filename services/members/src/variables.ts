import { baseUrl, text, type Variables } from '@drawbridge/rpc';
import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { requireSender, requireSmtpUrl } from './mail-settings.js';
import { readPlans } from './plans.js';
import { parseOidcProviders } from './sign-in/oidc-providers.js';

const FIRST_KEY = /^svc_[0-9A-Za-z]{20,}$/;

/** What members alone reads of the environment. */
export const VARIABLES = {
  BOOTSTRAP_API_KEY: {
    ...text({
      default: '',
      desc: "The first organization's key, used at the first start alone. Generated, printed once and kept in DATA_DIR/bootstrap.json.",
    }),
    isSecret: true,
    check: requireFirstKey,
  },
  PLANS_FILE: {
    ...text({
      default: '',
      desc: 'JSON file, plan name → limits; a limit may be null = none. Default: the built-in plans.',
    }),
    check: (file: string): unknown => readPlans(file),
  },
  BASE_URL: baseUrl({ default: '', desc: 'How callers and browsers reach the gateway. Default: http://HOST:PORT.' }),
  SMTP_URL: {
    ...text({
      default: '',
      desc: 'Sends mail: `smtp://user:password@host:587` (STARTTLS), or `smtps://…`; `?requireTLS=false` to send without. Wants MAIL_FROM and BASE_URL. Default: no mail.',
    }),
    isSecret: true,
    check: (url: string): void => requireSmtpUrl(url),
  },
  OIDC_PROVIDERS: {
    ...text({
      default: '',
      desc: 'JSON object or file: name → `{issuer, clientId, clientSecret, displayName?, scopes?}`, where people may sign in. Wants BASE_URL.',
    }),
    isSecret: true,
    check: (providers: string): unknown => parseOidcProviders(providers),
  },
  ...EGRESS_VARIABLES,
  MAIL_FROM: {
    ...text({ default: '', desc: 'Who mail comes from: `Acme <no-reply@acme.example>`, or the address alone.' }),
    check: (sender: string): void => requireSender(sender),
  },
} satisfies Variables;

function requireFirstKey(key: string): void {
  if (!FIRST_KEY.test(key)) throw new Error('must be svc_ and at least 20 letters and digits');
}
