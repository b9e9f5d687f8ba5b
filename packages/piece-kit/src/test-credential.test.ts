import { authorizationHeader, type Credential } from './credential.js';
import { piece, type PieceAuth } from './piece.js';
import { type SendRequest } from './answer.js';
import { testCredential } from './test-credential.js';

const credential: Credential = { type: 'SECRET_TEXT', secretText: 'good' };

function acme(test: PieceAuth['test']) {
  const auth = { types: ['SECRET_TEXT'], required: true, test } as const;
  const names = { name: 'acme', displayName: 'Acme', description: 'Acme.', categories: ['CORE'] } as const;
  return piece({
    ...names,
    origin: 'https://api.acme.example',
    auth,
    http: { authorize: authorizationHeader },
    actions: {},
  });
}

function thirdParty() {
  const asked: SendRequest[] = [];
  const send = async (request: SendRequest) => {
    asked.push(request);
    const status = request.headers?.['authorization'] === 'Bearer good' ? 200 : 401;
    const body = new TextEncoder().encode('{"message":"Bad credentials"}');
    return { status, headers: { 'content-type': 'application/json' }, body, url: request.url };
  };
  return { asked, send };
}

it.each([
  ['/user'],
  [(http: { json(request: object): Promise<unknown> }) => http.json({ method: 'GET', path: '/user' })],
])('asks with the credential (%#)', async (test) => {
  const { asked, send } = thirdParty();
  await testCredential(acme(test as PieceAuth['test']), { credential, send });
  expect(asked).toMatchObject([{ method: 'GET', url: 'https://api.acme.example/user' }]);
  const bad = { ...credential, secretText: 'bad' };
  await expect(testCredential(acme('/user'), { credential: bad, send })).rejects.toMatchObject({
    name: 'ProviderError',
    status: 401,
    message: 'Bad credentials',
  });
});

it('asks nothing where the piece does not say what', async () => {
  const { asked, send } = thirdParty();
  await testCredential(acme(undefined), { credential, send });
  expect(asked).toEqual([]);
});

it('waits for a busy provider only as long as a form allows', async () => {
  const asked: SendRequest[] = [];
  const send = async (request: SendRequest) => {
    asked.push(request);
    return { status: 429, headers: { 'retry-after': '5' }, body: new Uint8Array(), url: request.url };
  };
  const tested = testCredential(acme('/user'), { credential, send, timeoutMs: 1_234, limitMs: 5_000 });
  await expect(tested).rejects.toMatchObject({ status: 429, retryAfter: 5 });
  expect(asked).toMatchObject([{ timeoutMs: 1_234 }]);
});
