// The fake providers of the test files. A product learns at its start to which ports it sends requests for these providers. So files can use one shared
// product, and each file starts only the fakes that it needs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CERTIFICATE, freePort } from '@drawbridge/testkit';
import { CLIENT_ID, OAUTH2 } from './pieces/parts/vendor.mjs';

export { CLIENT_ID };
export const CLIENT_SECRET = 'secret-of-drawbridge-4711';
/** The secret with which Slack signs events. The operator enters it with the app. */
export const SLACK_SECRET = 'signing-secret-of-the-slack-app-0a1b2c3d4e5f';

const HOSTS = {
  provider: ['api.github.com', 'api.example.com', 'api.stripe.com', 'slack.com', 'api.linear.app'],
  asked: ['api.asked.example'],
  polled: ['api.polled.example'],
  beside: ['api.beside.example'],
  vendors: ['vendors.example'],
  keys: ['keys.example'],
  acmeAccount: ['acme.acct.example', 'acme.my.example', 'id.acct.example'],
  betaAccount: ['beta.acct.example', 'beta.my.example'],
  evilAccount: ['evil.com', 'evil.acct.example', 'evil', 'acct.example'],
};

/** The ports of a webhook receiver: HTTP, and HTTPS with the certificate of the tests. */
const RECEIVER = ['receiver', 'hooks'];

/** Chooses a port for each fake. Returns the ports by name, and the settings with which a product has the test pieces and reaches the fakes. */
export async function newFakes() {
  const names = [...Object.keys(HOSTS), ...RECEIVER];
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await freePort()])));
  const origins = Object.entries(HOSTS).flatMap(([name, hosts]) =>
    hosts.map((host) => [`https://${host}`, `http://127.0.0.1:${ports[name]}`]),
  );
  const env = {
    INTEGRATIONS_DIR: join(import.meta.dirname, 'pieces'),
    ORIGIN_MAP: JSON.stringify(Object.fromEntries(origins)),
    OAUTH_APPS: JSON.stringify(oauthApps()),
    EGRESS_ALLOW: RECEIVER.map((name) => `127.0.0.1:${ports[name]}`).join(','),
    NODE_EXTRA_CA_CERTS: certificateFile(),
    LOG_LEVEL: 'trace', // tests search the logs for secrets
    PUBLIC_RATE_LIMIT: 'null',
  };
  return { ports, env };
}

function oauthApps() {
  const ofVendor = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  const ofAccounts = { clientId: 'platform', clientSecret: 'platform-secret' };
  const ofTriggers = { clientId: 'a', clientSecret: 'b', webhookSecret: SLACK_SECRET };
  return {
    ...Object.fromEntries(Object.keys(OAUTH2).map((vendor) => [`test-${vendor}`, ofVendor])),
    'test-account': ofAccounts,
    'test-cloud': ofAccounts,
    slack: ofTriggers,
    intercom: ofTriggers,
  };
}

/** Returns the path of the certificate. The global set-up writes the file first, so that no test file writes it while a product reads it. */
function certificateFile() {
  const folder = join(import.meta.dirname, '../../.cache');
  const file = join(folder, 'receiver-ca.pem');
  if (existsSync(file) && readFileSync(file, 'utf8') === CERTIFICATE.cert) return file;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, CERTIFICATE.cert);
  return file;
}
