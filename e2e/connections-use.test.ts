// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { provider } from './support/provider.js';

const CREATE_ISSUE = { integrationName: 'github', actionName: 'create_issue', input: { repo: 'acme/app', title: 'T' } };

let api: Api;
let github: FakeProvider;
let workspaceId: string;
let made = 0;

beforeAll(async () => {
  ({ api } = await drawbridge());
  github = await provider();
});
afterAll(() => github.stop());

beforeEach(async () => {
  github.reset();
  workspaceId = (await api.post('/api/v1/workspaces', { name: 'W', slug: `use-${++made}` })).body.workspace.id;
});

/** Creates a connection with a secret that identifies its owner. */
async function connect(secretText: string, fields: object = {}): Promise<string> {
  const github = { type: 'SECRET_TEXT', integrationName: 'github', displayName: 'GitHub' };
  const body = { ...github, secretText, workspaceId, externalId: `use-${++made}`, ...fields };
  const { status, body: answer } = await api.post('/api/v1/connections', body);
  expect(status).toBe(201);
  return answer.connection.id;
}

async function configure(fields: object): Promise<void> {
  const body = { integrationName: 'github', ...fields };
  expect((await api.post(`/api/v1/workspaces/${workspaceId}/integrations`, body)).status).toBe(201);
}

const execute = (fields: object = {}): Promise<Answer> =>
  api.post('/api/v1/actions/execute', { ...CREATE_ISSUE, workspaceId, ...fields });

/** Returns the secret that the provider received. */
async function used(fields: object = {}): Promise<string | undefined> {
  github.reset();
  expect(await execute(fields)).toMatchObject({ status: 200 });
  return github.requests[0]?.headers['authorization']?.replace('Bearer ', '');
}

function expectRequired(answer: Answer, details: object): void {
  expectError(answer, 400, 'CONNECTION_REQUIRED');
  expect(answer.body.details).toEqual(details);
}

describe('a call', () => {
  it('under fixed uses the configured connection for every end user', async () => {
    await connect('ann', { scope: 'USER', endUserId: 'ann' });
    await configure({ connectionId: await connect('shared', { scope: 'WORKSPACE' }) });
    expect(await used()).toBe('shared');
    expect(await used({ endUserId: 'ann' })).toBe('shared');
  });

  it('under per_user uses the newest connection of the end user and no other', async () => {
    await configure({ connectionStrategy: 'per_user' });
    expectRequired(await execute(), { reason: 'no_end_user', connectionId: null });
    expectRequired(await execute({ endUserId: 'ann' }), { reason: 'not_connected', connectionId: null });
    await connect('shared');
    await connect('ann-1', { scope: 'USER', endUserId: 'ann' });
    expect(await used({ endUserId: 'ann' })).toBe('ann-1');
    await connect('ann-2', { scope: 'USER', endUserId: 'ann' });
    expect(await used({ endUserId: 'ann' })).toBe('ann-2');
    expectRequired(await execute({ endUserId: 'bob' }), { reason: 'not_connected', connectionId: null });
  });

  it('under per_user_with_fallback prefers the connection of the end user', async () => {
    const connectionId = await connect('shared', { scope: 'WORKSPACE' });
    await configure({ connectionStrategy: 'per_user_with_fallback', connectionId });
    expect(await used()).toBe('shared');
    expect(await used({ endUserId: 'ann' })).toBe('shared');
    const own = await connect('ann', { scope: 'USER', endUserId: 'ann' });
    expect(await used({ endUserId: 'ann' })).toBe('ann');
    await api.delete(`/api/v1/connections/${own}`);
    expect(await used({ endUserId: 'ann' })).toBe('shared');
  });

  it('uses the connection that it names before any strategy', async () => {
    await configure({ connectionId: await connect('configured') });
    const connectionExternalId = `named-${++made}`;
    await connect('organization', { externalId: connectionExternalId });
    expect(await used({ connectionExternalId })).toBe('organization');
    await connect('workspace', { externalId: connectionExternalId, scope: 'WORKSPACE' });
    expect(await used({ connectionExternalId })).toBe('workspace');
    await connect('ann', { externalId: connectionExternalId, scope: 'USER', endUserId: 'ann' });
    expect(await used({ connectionExternalId, endUserId: 'ann' })).toBe('ann');
    expect(await used({ connectionExternalId, endUserId: 'bob' })).toBe('workspace');
  });

  it('without a name or a configured connection is refused with CONNECTION_REQUIRED', async () => {
    await connect('shared');
    expectRequired(await execute(), { reason: 'not_connected', connectionId: null });
  });

  it('of an integration with optional authentication uses a connection only if there is one', async () => {
    const integration = { integrationName: 'http', connectionStrategy: 'per_user' };
    expect((await api.post(`/api/v1/workspaces/${workspaceId}/integrations`, integration)).status).toBe(201);
    const input = { method: 'GET', url: 'https://api.example.com/' };
    const call = { integrationName: 'http', actionName: 'send_request', input };
    expect(await used(call)).toBeUndefined();
    expect(await used({ ...call, endUserId: 'ann' })).toBeUndefined();
    await connect('ann', { integrationName: 'http', scope: 'USER', endUserId: 'ann' });
    expect(await used({ ...call, endUserId: 'ann' })).toBe('ann');
  });

  it('finds no connection of another integration or end user by its name', async () => {
    await connect('http', { integrationName: 'http', externalId: 'of-http' });
    await connect('ann', { scope: 'USER', endUserId: 'ann', externalId: 'of-ann' });
    for (const connectionExternalId of ['of-http', 'of-ann', 'absent']) {
      expectError(await execute({ connectionExternalId, endUserId: 'bob' }), 400, 'CONNECTION_NOT_FOUND');
    }
    expect(github.requests).toEqual([]);
  });

  it('is refused as soon as its connection is deleted', async () => {
    const connectionId = await connect('shared');
    await configure({ connectionId });
    expect(await used()).toBe('shared');
    await api.delete(`/api/v1/connections/${connectionId}`);
    expectError(await execute(), 400, 'CONNECTION_REQUIRED');
  });
});
