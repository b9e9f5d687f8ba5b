import { type Config } from '@drawbridge/rpc';
import { hasKms, type Kms, startKms } from '@drawbridge/testkit';
import { type CredentialOwner, envelope } from './envelope-encryption.js';
import { configuredMasterKeys, type MASTER_KEY_VARIABLES } from './master-keys.js';

const OWNER: CredentialOwner = { orgId: 'o1', kind: 'connection', id: 'c1' };
const UNSET = { AWS_REGION: '', AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: '' };
const GATEWAY = { PORT: 8080, HOST: '127.0.0.1', BASE_URL: '', OWN_ORIGINS: '' };
const PLACE = { AWS_ENDPOINT_URL_KMS: '', ORIGIN_MAP: '', EGRESS_ALLOW: '127.0.0.0/8', DNS_SERVERS: '', ...GATEWAY };

const isWanted = hasKms() || (process.env['REQUIRE'] ?? '').split(',').includes('kms');
const title = 'master keys that AWS KMS sealed';
if (isWanted) describe(title, onKms);
else describe.skip(`${title} (to run it: pip install moto flask flask-cors)`, onKms);

function onKms(): void {
  let kms: Kms;

  beforeAll(async () => void (kms = await startKms()));
  afterAll(() => kms?.stop());

  const open = (MASTER_KEYS: string, more: Partial<Config<typeof MASTER_KEY_VARIABLES>> = {}) =>
    configuredMasterKeys({ ...UNSET, ...PLACE, MASTER_KEYS, ...kms.env, ...more });
  const entryOf = async (id: string, bytes?: number): Promise<string> =>
    `${id}:kms:${await kms.newKey({ drawbridge: 'master-key', id }, bytes)}`;

  it('are opened with a permitted signature, at each start, together with other keys', async () => {
    const plain = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
    const entry = await entryOf('k2');
    const sealed = envelope(await open(`${entry},${plain}`)).seal('secret', OWNER);
    expect(sealed.masterKeyId).toBe('k2');
    const later = await open(`${plain},${await entryOf('k3')},${entry}`);
    expect(later.current).toBe('k1');
    expect(envelope(later).open(sealed, OWNER)).toBe('secret');
  });

  it.each([
    [
      'under another id',
      async () => (await entryOf('k2')).replace('k2:', 'k9:'),
      'KMS responded with status 400 InvalidCiphertextException',
    ],
    [
      'that were sealed for something else',
      async () => `k9:kms:${await kms.newKey({ id: 'k9' })}`,
      'KMS responded with status 400',
    ],
    ['that were cut short', async () => (await entryOf('k9')).slice(0, -12), 'KMS responded with status 400'],
    ['of 16 bytes', () => entryOf('k9', 16), 'KMS did not return a key of 32 bytes'],
  ])('do not open %s', async (_how, entry, problem) => {
    const text = await entry();
    const opening = open(text);
    await expect(opening).rejects.toThrow(`MASTER_KEYS: entry k9: ${problem}`);
    await expect(opening).rejects.not.toThrow(text.slice(8, 20));
  });

  it.each([
    ['another secret', { AWS_SECRET_ACCESS_KEY: 'a'.repeat(40) }],
    ['another access key', { AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE' }],
  ])('are not opened with %s', async (_what, more) => {
    await expect(open(await entryOf('k2'), more)).rejects.toThrow(
      /^MASTER_KEYS: entry k2: KMS responded with status 40[03]/,
    );
  });
}
