// Shapes: local, processes
import { randomBytes } from 'node:crypto';
import { type FakeProvider } from '@drawbridge/testkit';
import pg from 'pg';
import { type Answer } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { provider } from './support/provider.js';

const canary = (): string => `canary-${randomBytes(18).toString('hex')}`;

let product: Drawbridge;
let api: Drawbridge['api'];
let thirdParty: FakeProvider;

beforeAll(async () => {
  product = await drawbridge();
  api = product.api;
  thirdParty = await provider();
});
afterAll(() => thirdParty.stop());

/** The value raw, and in each of the three ways in which base64 may cut it, and in hex. */
function disguises(value: string): string[] {
  const shifted = [0, 1, 2].map((by) => {
    const text = Buffer.from(' '.repeat(by) + value).toString('base64');
    return text.slice(by === 0 ? 0 : 4, -4);
  });
  return [value, ...shifted, Buffer.from(value).toString('hex')];
}

/** Every row of every table as text; bytes as hex. */
async function wholeDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: product.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const dumps: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`);
      dumps.push(`${name}\n${rows.map(({ line }) => line).join('\n')}`);
    }
    return dumps.join('\n');
  } finally {
    await client.end();
  }
}

function expectNone(text: string, canaries: string[]): void {
  const found = canaries.flatMap((value, index) =>
    disguises(value).flatMap((form, how) => (text.includes(form) ? [`credential ${index} in form ${how}`] : [])),
  );
  expect(found).toEqual([]);
}

describe('no credential of any type', () => {
  const values = Array.from({ length: 8 }, canary);
  const [secretText, username, password, custom, accessToken, refreshToken, data, platform] = values;
  const credentials = [
    { type: 'SECRET_TEXT', secretText },
    { type: 'BASIC_AUTH', username, password },
    { type: 'CUSTOM_AUTH', props: { 'x-api-key': custom } },
    { type: 'OAUTH2', accessToken, refreshToken, data: { team: data }, expiresIn: 3600 },
    { type: 'PLATFORM_OAUTH2', accessToken: platform },
  ];
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

  it('is shown by any operation on connections, nor stored in clear', async () => {
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

    const stored = await wholeDatabase();
    expect(stored).toContain(connections[0].id);
    expectNone(stored, values);
    expectNone(JSON.stringify(answers), values);
    expectNone(product.logs(), values);
  });

  it('comes back from a provider that echoes it, with success or without', async () => {
    for (const { type } of credentials) {
      const input = { method: 'POST', url: 'https://api.example.com/echo' };
      const call = { integrationName: 'http', actionName: 'send_request', workspaceId, connectionExternalId: type };
      for (const status of [200, 401]) {
        thirdParty.on('*', ({ headers }) => ({ status, body: { message: 'seen', headers } }));
        await note(api.post('/api/v1/actions/execute', { ...call, input }));
      }
    }
    expect(thirdParty.requests).toHaveLength(2 * credentials.length);
    await note(api.get(`/api/v1/executions?workspaceId=${workspaceId}`));

    // A user name alone opens nothing, and is not hidden.
    const secrets = values.filter((value) => value !== username);
    expectNone(JSON.stringify(answers), secrets);
    expectNone(await wholeDatabase(), secrets);
    expectNone(product.logs(), secrets);
  });
});
