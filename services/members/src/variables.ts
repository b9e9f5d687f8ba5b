import { EGRESS_VARIABLES } from '@drawbridge/egress';
import { MAIL_VARIABLES } from '@drawbridge/mail';
import { text, type Variables } from '@drawbridge/rpc';
import { readPlans } from './plans.js';
import { parseOidcProviders } from './sign-in/oidc-providers.js';

const FIRST_KEY = /^svc_[0-9A-Za-z]{20,}$/;

/** The environment variables that only the members service reads. */
export const VARIABLES = {
  BOOTSTRAP_API_KEY: {
    ...text({
      default: '',
      desc: "The first organization's key, used only at the first start. Default: generated, printed once and stored in DATA_DIR/bootstrap.json.",
    }),
    isSecret: true,
    check: requireFirstKey,
  },
  PLANS_FILE: {
    ...text({
      default: '',
      desc: 'JSON file that maps plan names to limits; null = no limit. Default: the built-in plans.',
    }),
    check: (file: string): unknown => readPlans(file),
  },
  ...MAIL_VARIABLES,
  OIDC_PROVIDERS: {
    ...text({
      default: '',
      desc: 'JSON object or file: name → `{issuer, clientId, clientSecret, displayName?, scopes?}`, the identity providers for sign-in. Requires BASE_URL.',
    }),
    isSecret: true,
    requires: ['BASE_URL'],
    check: (providers: string): unknown => parseOidcProviders(providers),
  },
  ...EGRESS_VARIABLES,
} satisfies Variables;

function requireFirstKey(key: string): void {
  if (FIRST_KEY.test(key)) return;
  // The key is secret, so the error contains only its length.
  throw new Error(`must be svc_ and at least 20 letters and digits (got ${key.length} characters)`);
}
