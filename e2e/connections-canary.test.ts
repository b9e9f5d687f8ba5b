// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer } from './support/api.js';
import { type Canary, canary, encodedForms, findCanaries } from './support/canaries.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { databaseContents } from './support/stored-contents.js';
import { provider } from './support/provider.js';

let product: Drawbridge;
let api: Drawbridge['api'];
let thirdParty: FakeProvider;

beforeAll(async () => {
  product = await drawbridge();
  api = product.api;
  thirdParty = await provider();
});
afterAll(() => thirdParty.stop());

function expectNone(text: string, canaries: Canary[]): void {
  expect(findCanaries(text, Object.fromEntries(canaries.entries()))).toEqual([]);
}

describe('no credential of any type', () => {
  const values = Array.from({ length: 7 }, canary);
  const texts = values.map(({ text }) => text);
  const [secretText, username, custom, accessToken, refreshToken, data, platform] = texts;
  const credentials = [
    { type: 'SECRET_TEXT', secretText },
    // Without a password, the user name is an API key and therefore secret. A user name with a password is not secret.
    { type: 'BASIC_AUTH', username, password: '' },
    { type: 'CUSTOM_AUTH', props: { 'x-api-key': custom } },
    { type: 'OAUTH2', accessToken, refreshToken, data: { team: data }, expiresIn: 3600 },
    { type: 'PLATFORM_OAUTH2', accessToken: platform },
  ];
  /** The parts of each credential that the provider receives and can therefore return. */
  const sent: Record<string, string[]> = {
    SECRET_TEXT: [secretText!],
    BASIC_AUTH: [username!],
    CUSTOM_AUTH: [custom!],
    OAUTH2: [accessToken!],
    PLATFORM_OAUTH2: [platform!],
  };
  const HTTP = { integrationName: 'http', displayName: 'HTTP' };
  let workspaceId: string;
  let answers: unknown[];

  beforeAll(async () => {
    const slug = `canary-${Date.now()}`;
    workspaceId = (await api.post('/api/v1/workspaces', { name: 'W', slug })).body.workspace.id;
  });
  beforeEach(() => {
    answers = [];
  });

  async function note(answer: Promise<Answer>): Promise<Answer> {
    answers.push((await answer).body);
    return answer;
  }

  it('is returned by any operation on connections or stored in clear text', async () => {
    for (const credential of credentials) {
      const body = { ...HTTP, externalId: credential.type, ...credential };
      expect(await note(api.post('/api/v1/connections', body))).toMatchObject({ status: 201 });
      expect(await note(api.post('/api/v1/connections', body))).toMatchObject({ status: 409 });
      const wrong = { ...body, externalId: 'wrong', scope: 'USER' };
      expect(await note(api.post('/api/v1/connections', wrong))).toMatchObject({ status: 400 });
      expect(await note(api.post('/api/v1/connections', { ...wrong, colour: 'red' }))).toMatchObject({ status: 400 });
      const resolve = { integrationName: 'http', workspaceId, externalId: credential.type };
      expect(await note(api.post('/api/v1/connections/resolve', resolve))).toMatchObject({ status: 200 });
    }
    const { connections } = (await note(api.get('/api/v1/connections'))).body;
    expect(connections).toHaveLength(credentials.length);
    for (const { id } of connections) await note(api.get(`/api/v1/connections?id=${id}`));

    const stored = await databaseContents(product.databaseUrl);
    expect(stored).toContain(connections[0].id);
    expectNone(stored, values);
    expectNone(JSON.stringify(answers), values);
    expectNone(product.logs(), values);
  });

  it('is returned from a provider that echoes it, on success or error', async () => {
    for (const { type } of credentials) {
      const input = { method: 'POST', url: 'https://api.example.com/echo' };
      const call = { integrationName: 'http', actionName: 'send_request', workspaceId, connectionExternalId: type };
      for (const status of [200, 401]) {
        const texts = sent[type]!.map(encodedForms);
        thirdParty.on('*', ({ headers }) => ({ status, body: { message: 'seen', headers, texts } }));
        await note(api.post('/api/v1/actions/execute', { ...call, input }));
      }
    }
    expect(thirdParty.requests).toHaveLength(2 * credentials.length);
    await note(api.get(`/api/v1/executions?workspaceId=${workspaceId}`));

    expectNone(JSON.stringify(answers), values);
    expectNone(await databaseContents(product.databaseUrl), values);
    expectNone(product.logs(), values);
  });
});
