// Sets up what "For production" in docs/self-hosting.md describes, with the commands and files of that page: a PostgreSQL server that Drawbridge does
// not manage, nginx with TLS, an SMTP server and an identity provider.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CERTIFICATE,
  freePort,
  type Running,
  startChild,
  startDatabaseServer,
  temporaryDatabase,
} from '@drawbridge/testkit';
import { eventually } from '../support/eventually.js';
import { blocksOf } from '../support/guides.js';
import { type IdentityProvider, identityProvider, ISSUER } from '../support/identity-provider.js';
import { type MailServer, mailServer } from '../support/mail-server.js';
import { command } from './support/command.js';
import { type InstalledPackage, installPackage } from './support/installed-package.js';

const EMAIL = 'ada@acme.example';
/** An address of this machine that differs from the address of nginx. */
const CLIENT = '127.0.0.2';

/** Returns the code block of the page that contains `text`. */
const blockWith = (text: string): string => blocksOf('self-hosting').find((block) => block.text.includes(text))!.text;

/** Returns the assignments of a file or an output: `NAME=value`. */
const assignmentsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

describe('an instance for production', () => {
  let its: InstalledPackage;
  let mail: MailServer;
  let provider: IdentityProvider;
  let settings: Record<string, string>;
  let env: NodeJS.ProcessEnv;
  let key: string;
  const running: Running[] = [];
  const cleanup: (() => unknown)[] = [];

  /** Runs curl like a browser with cookies. Returns the body, or what `--write-out` prints. */
  const curl = (...args: string[]): Promise<string> => {
    const cookies = join(its.folder, 'cookies');
    return command(['curl', '-sS', '--fail-with-body', '--interface', CLIENT, '-b', cookies, '-c', cookies, ...args], {
      env,
    });
  };

  beforeAll(async () => {
    [its, mail, provider] = await Promise.all([installPackage(), mailServer(), identityProvider()]);
    const server = await startDatabaseServer();
    const database = await temporaryDatabase(server.url);
    cleanup.push(server.stop, database.drop, its.remove, mail.stop, () => provider.stop());
    const [port, tlsPort] = [await freePort(), await freePort()];
    const keys = assignmentsIn(await command(['sh', '-ec', blockWith('echo "MASTER_KEYS=')]));
    settings = {
      ...keys,
      DATABASE_URL: database.url,
      BASE_URL: `https://127.0.0.1:${tlsPort}`,
      SMTP_URL: `smtp://drawbridge:secret@${mail.host}`,
      MAIL_FROM: 'Acme <no-reply@acme.example>',
      OIDC_PROVIDERS: JSON.stringify({
        acme: { issuer: ISSUER, clientId: 'drawbridge', clientSecret: 'secret', displayName: 'Acme' },
      }),
      TRUST_PROXY: '1',
    };
    const certificate = join(its.folder, 'certificate.pem');
    writeFileSync(certificate, CERTIFICATE.cert);
    const machine = { PATH: process.env['PATH'], HOME: its.home, PORT: String(port), METRICS_PORT: '0' };
    const trust = { NODE_EXTRA_CA_CERTS: certificate, CURL_CA_BUNDLE: certificate };
    env = { ...machine, ...trust, ...settings, ORIGIN_MAP: JSON.stringify({ [ISSUER]: provider.url }) };
    running.push(await startNginx(its.folder, { port, tlsPort }));
    const readyWhen = /is ready[^]*First key +(\S+)[^]*Ctrl-C/;
    const product = { name: 'drawbridge', command: its.asUser(its.program), env, readyWhen };
    running.push(await startChild(product, its.folder));
    key = running[1]!.ready[1]!;
  });
  afterAll(async () => {
    for (const process of running.reverse()) await process.end('SIGTERM');
    for (const step of cleanup.reverse()) await step();
  });

  it('needs only the variables that the page lists', () => {
    expect(Object.keys(assignmentsIn(blockWith('TRUST_PROXY=1'))).sort()).toEqual(Object.keys(settings).sort());
  });

  it('is ready behind nginx with TLS', async () => {
    expect(await command(['sh', '-ec', blockWith('/readyz')], { env })).toContain('{"status":"ok"');
  });

  it('has no failed check of `drawbridge admin doctor`', async () => {
    const { checks } = JSON.parse(await command(its.asUser(its.program, 'admin', 'doctor'), { env }));
    const named = (status: string): string[] =>
      checks.filter((check: any) => check.status === status).map(({ check }: any) => check);
    expect(named('failed')).toEqual([]);
    // Only this machine can reach the address of this test, and the first key was not yet moved out of its file.
    expect(named('warning').sort()).toEqual(['base-url', 'files']);
  });

  it('emails an invitation, and the invited person joins through the identity provider', async () => {
    const bearer = ['-H', `authorization: Bearer ${key}`, '-H', 'content-type: application/json'];
    await curl(...bearer, '-d', JSON.stringify({ email: EMAIL }), `${settings['BASE_URL']}/api/v1/members/invite`);
    const link = await eventually(async () => {
      const [, found] = /(https:\/\/\S+\/sign-up\?invitation=[\w-]+)/.exec(mail.received[0]?.text ?? '') ?? [];
      expect(found).toContain(settings['BASE_URL']);
      return found!;
    }, 20_000);

    provider.behave({ claims: { sub: 'ada', email: EMAIL, email_verified: true, name: 'Ada' } });
    const next = encodeURIComponent(link.slice(settings['BASE_URL']!.length));
    const start = `${settings['BASE_URL']}/sign-in/with/acme?next=${next}`;
    const authorization = await curl('-o', '/dev/null', '-w', '%{redirect_url}', start);
    expect(await curl('-L', provider.agree(authorization))).toContain(`You are invited as ${EMAIL}`);
    const invitation = new URL(link).searchParams.get('invitation')!;
    const origin = ['-H', `origin: ${settings['BASE_URL']}`];
    await curl(...origin, '--data-urlencode', `invitation=${invitation}`, `${settings['BASE_URL']}/sign-up/join`);
    expect(await curl(`${settings['BASE_URL']}/account`)).toContain(EMAIL);
  });

  it('records the address of the client, which nginx sends', async () => {
    const bearer = ['-H', `authorization: Bearer ${key}`];
    const { entries } = JSON.parse(await curl(...bearer, `${settings['BASE_URL']}/api/v1/audit-log?limit=20`));
    // Entries of work without a request, such as of a sent email, have no address.
    const addresses = entries.map(({ address }: { address: string | null }) => address).filter(Boolean);
    expect(new Set(addresses)).toEqual(new Set([CLIENT]));
  });
});

/** Starts nginx with the location block of the page. */
function startNginx(folder: string, { port, tlsPort }: { port: number; tlsPort: number }): Promise<Running> {
  const place = join(folder, 'nginx');
  mkdirSync(place);
  writeFileSync(join(place, 'key.pem'), CERTIFICATE.key);
  const file = join(place, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; user root; pid ${place}/pid; error_log stderr notice; events {}
    http {
      access_log off; client_body_temp_path ${place}/body; proxy_temp_path ${place}/proxy;
      fastcgi_temp_path ${place}/fastcgi; uwsgi_temp_path ${place}/uwsgi; scgi_temp_path ${place}/scgi;
      server {
        listen 127.0.0.1:${tlsPort} ssl;
        ssl_certificate ${folder}/certificate.pem; ssl_certificate_key ${place}/key.pem;
        ${blockWith('proxy_pass').replace('127.0.0.1:8080', `127.0.0.1:${port}`)}
      }
    }`,
  );
  const line = ['nginx', '-c', file, '-p', place];
  return startChild({ name: 'nginx', command: line, env: process.env, readyWhen: /start worker processes/ }, folder);
}
