import { createEgress, type Send } from '@drawbridge/egress';
import { type FakeProvider, fakeProvider, type ProviderBehaviour } from '@drawbridge/testkit';
import { kms } from './kms.js';

const BLOB = Buffer.from('what KMS made of a key').toString('base64');
const KEY = Buffer.alloc(32, 7).toString('base64');
const SIGNER = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  AWS_SESSION_TOKEN: '',
  AWS_ENDPOINT_URL_KMS: '',
};

let answering: FakeProvider;
const egress = createEgress({ allow: ['127.0.0.0/8'] });
const send: Send = egress.sendFor('test');

beforeAll(async () => void (answering = await fakeProvider()));
afterEach(() => answering.reset());
afterAll(async () => {
  await egress.close();
  await answering.stop();
});

const ask = (more: Partial<typeof SIGNER> = {}, { timeoutMs = 10_000, through = send } = {}): Promise<string> =>
  kms({ ...SIGNER, AWS_ENDPOINT_URL_KMS: answering.url, ...more }, through, timeoutMs)(BLOB, 'k1');

const problemOf = (opening: Promise<string>): Promise<string> => opening.catch(({ message }: Error) => message);

it('sends a signed decrypt request for the id of the entry, with the token of a temporary key', async () => {
  answering.on('*', { body: { Plaintext: KEY } });
  expect(await ask({ AWS_SESSION_TOKEN: 'a'.repeat(20) })).toBe(KEY);
  const [{ method, url, headers, body }] = answering.requests as [(typeof answering.requests)[0]];
  expect({ method, url, body }).toEqual({
    ...{ method: 'POST', url: '/' },
    body: { CiphertextBlob: BLOB, EncryptionContext: { drawbridge: 'master-key', id: 'k1' } },
  });
  expect(headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'TrentService.Decrypt',
    'x-amz-security-token': 'a'.repeat(20),
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-central-1\/kms\//,
    ),
  });
});

it.each([
  ['eu-central-1', 'https://kms.eu-central-1.amazonaws.com/'],
  ['cn-north-1', 'https://kms.cn-north-1.amazonaws.com.cn/'],
])('finds the KMS of %s', async (AWS_REGION, url) => {
  const asked: string[] = [];
  const through: Send = async (request) => {
    asked.push(request.url);
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ Plaintext: KEY })), url: request.url };
  };
  await ask({ AWS_REGION, AWS_ENDPOINT_URL_KMS: '' }, { through });
  expect(asked).toEqual([url]);
});

it('names the missing variables', async () => {
  const without = { AWS_REGION: '', AWS_SECRET_ACCESS_KEY: '' };
  expect(await problemOf(ask(without))).toBe(
    'the key is encrypted by KMS, which needs AWS_REGION, AWS_SECRET_ACCESS_KEY',
  );
  expect(answering.requests).toEqual([]);
});

it.each<[string, ProviderBehaviour, string]>([
  [
    'refuses',
    { status: 400, body: { __type: 'InvalidCiphertextException' } },
    'KMS responded with status 400 InvalidCiphertextException',
  ],
  [
    'refuses at length',
    { status: 400, body: { __type: 'com.amazonaws.kms#DisabledException', message: BLOB } },
    'KMS responded with status 400 DisabledException',
  ],
  ['returns the request as its code', { status: 400, body: { __type: BLOB } }, 'KMS responded with status 400'],
  ['fails', { status: 500, body: BLOB }, 'KMS responded with status 500'],
  ['redirects', { status: 307, headers: { location: '/' } }, 'KMS responded with status 307'],
  ['answers no JSON', { body: 'a page' }, 'KMS responded with status 200'],
  ['answers null', { body: 'null' }, 'KMS responded with status 200'],
  ['answers without a key', { body: { KeyId: 'x' } }, 'KMS responded with status 200'],
  ['answers a number', { body: { Plaintext: 7 } }, 'KMS responded with status 200'],
  ['resets the connection', { reset: true }, 'KMS is unreachable: 127.0.0.1'],
  ['answers too much', { body: 'x'.repeat(20_000) }, 'KMS is unreachable: 127.0.0.1'],
])('fails without revealing the key when KMS %s', async (_how, behaviour, problem) => {
  answering.on('*', behaviour);
  const told = await problemOf(ask());
  expect(told).toContain(problem);
  expect(told).not.toContain(BLOB.slice(0, 8));
});

it('times out when KMS is silent', async () => {
  answering.on('*', { hang: true });
  expect(await problemOf(ask({}, { timeoutMs: 50 }))).toMatch(/^KMS is unreachable: .*\(TIMEOUT\)$/);
});

it('refuses addresses that are neither public nor allowed', async () => {
  const guarded = createEgress();
  expect(await problemOf(ask({}, { through: guarded.sendFor('test') }))).toContain('(EGRESS_DENIED)');
  expect(answering.requests).toEqual([]);
  await guarded.close();
});
