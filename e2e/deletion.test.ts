// Shapes: local; in full: kafka, processes
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { expectWithinASecond } from './support/expect-within.js';
import { provider } from './support/provider.js';
import { databaseContents } from './support/stored-contents.js';
import { pushTrigger, simulatedTrigger, TRIGGERS } from './support/triggers.js';

const EXECUTE = '/api/v1/actions/execute';
const PURGED_MS = 60_000;

const LEFT_OVER = `
  SELECT 'integration' AS what FROM catalog.workspace_integrations WHERE workspace_id = $1
  UNION SELECT 'partial' FROM catalog.input_partials WHERE workspace_id = $1
  UNION SELECT 'connection' FROM connections.connections WHERE workspace_id = $1
  UNION SELECT 'end user' FROM connections.end_users WHERE workspace_id = $1
  UNION SELECT 'execution' FROM execution.executions WHERE workspace_id = $1
  UNION SELECT 'trigger' FROM triggers.sources WHERE workspace_id = $1
  UNION SELECT 'event' FROM triggers.events WHERE workspace_id = $1
  UNION SELECT 'delivery' FROM triggers.deliveries WHERE workspace_id = $1
  UNION SELECT 'secret' FROM connections.source_secrets WHERE workspace_id = $1
  UNION SELECT 'claim' FROM execution.claims WHERE workspace_id = $1
  UNION SELECT 'state' FROM execution.state_spaces WHERE workspace_id = $1`;

/** Selects the encrypted credential and its encrypted key in hex, because a dump of the table contains bytes in hex. */
const SEALED = `
  SELECT encode(unnest(ARRAY[sealed, wrapped_key]), 'hex') AS part FROM connections.connections WHERE id = $1`;

interface Personal {
  id: string;
  workspaceId: string;
  endUserId: string;
}

let product: Drawbridge;
let github: FakeProvider;
/** The API with the organization's key, for each gateway. */
let apis: Api[];

beforeAll(async () => {
  product = await drawbridge();
  github = await provider();
  apis = product.baseUrls.map((baseUrl) => apiOf(baseUrl, product.key));
});
afterEach(() => github.reset());
afterAll(() => github.stop());

const remove = (id: string): Promise<Answer> => product.api.delete(`/api/v1/workspaces/${id}`);

async function leftOver(workspaceId: string): Promise<string[]> {
  const rows = await rowsOf<{ what: string }>(product.databaseUrl, LEFT_OVER, [workspaceId]);
  return rows.map(({ what }) => what).sort();
}

const connection = (externalId: string, more: object): object => ({
  ...{ type: 'SECRET_TEXT', secretText: 's', integrationName: 'github', displayName: 'D', externalId },
  ...more,
});

describe('a deleted workspace', () => {
  it('is not found on any path at any gateway', async () => {
    const workspace = await githubWorkspace(product.api);
    const { workspaceId, integrationId } = workspace;
    const path = `/api/v1/workspaces/${workspaceId}`;
    const hash = { integrationName: 'hash-encode', actionName: 'hash', input: { text: 'a', algorithm: 'sha256' } };
    const asks: ((by: Api) => Promise<Answer>)[] = [
      (by) => by.get(path),
      (by) => by.patch(path, { name: 'Other' }),
      (by) => by.get(`${path}/integrations`),
      (by) => by.post(`${path}/integrations`, { integrationName: 'http' }),
      (by) => by.patch(`${path}/integrations/${integrationId}`, { sortOrder: 1 }),
      (by) => by.delete(`${path}/integrations/${integrationId}`),
      (by) => by.get(`/api/v1/partials?workspaceId=${workspaceId}`),
      (by) => by.post('/api/v1/partials', { workspaceId, integrationName: 'github', name: 'Late' }),
      (by) => by.post('/api/v1/connections', connection(workspaceId, { scope: 'WORKSPACE', workspaceId })),
      (by) => by.post('/api/v1/connections/resolve', { integrationName: 'github', workspaceId }),
      (by) => by.get(`${TRIGGERS}?workspaceId=${workspaceId}`),
      (by) => by.post(`${TRIGGERS}/enable`, pushTrigger(workspace, { simulate: true })),
      (by) => by.delete(path),
    ];
    // Calls that read the workspace frequently use a cache of one second.
    const asksOfRuns: typeof asks = [
      (by) => by.get(`/api/v1/executions?workspaceId=${workspaceId}`),
      (by) => by.post(EXECUTE, workspace.createIssue),
      (by) => by.post(EXECUTE, { ...hash, workspaceId }),
    ];
    // All replicas now have the workspace in their caches, so the test detects a replica that uses it for too long.
    for (const by of [...apis, ...apis]) expect((await by.post(EXECUTE, workspace.createIssue)).status).toBe(200);

    expect((await remove(workspaceId)).body).toEqual({ deleted: true, id: workspaceId });
    await Promise.all(apis.flatMap((by) => asks.map(async (ask) => expectError(await ask(by), 404, 'NOT_FOUND'))));
    const runs = apis.flatMap((by) => asksOfRuns.map((ask) => () => ask(by)));
    await Promise.all(runs.map((ask) => expectWithinASecond(async () => expectError(await ask(), 404, 'NOT_FOUND'))));
    expect((await product.api.get('/api/v1/workspaces')).body.workspaces.map(idOf)).not.toContain(workspaceId);
  });

  it(
    'leaves only the rows of the organization',
    async () => {
      const { api } = product;
      const { workspaceId, createIssue } = await githubWorkspace(api);
      const neighbour = await githubWorkspace(api);
      const owned = { scope: 'ORGANIZATION', workspaceId };
      const user = { scope: 'USER', workspaceId, endUserId: 'ann' };
      const kept = (await api.post('/api/v1/connections', connection(`kept-${workspaceId}`, owned))).body.connection;
      const gone = (await api.post('/api/v1/connections', connection(`gone-${workspaceId}`, user))).body.connection;
      const partial = { workspaceId, integrationName: 'github', name: 'Gone' };
      expect((await api.post('/api/v1/partials', partial)).status).toBe(201);
      await api.post(EXECUTE, { ...createIssue, idempotencyKey: workspaceId });
      await api.post(EXECUTE, { ...neighbour.createIssue, idempotencyKey: neighbour.workspaceId });
      await simulatedTrigger(api, { workspaceId });
      const ofTrigger = ['delivery', 'event', 'secret', 'trigger'];
      const all = ['claim', 'connection', 'end user', 'execution', 'integration', 'partial', ...ofTrigger].sort();
      expect(await leftOver(workspaceId)).toEqual(all);

      await remove(workspaceId);
      await eventually(async () => expect(await leftOver(workspaceId)).toEqual([]), PURGED_MS);
      expectError(await api.get(`/api/v1/connections?id=${gone.id}`), 404, 'NOT_FOUND');
      const { body } = await api.get(`/api/v1/connections?id=${kept.id}`);
      expect(body.connection).toMatchObject({ scope: 'ORGANIZATION', workspaceId: null });
      expect(await leftOver(neighbour.workspaceId)).toEqual(['claim', 'connection', 'execution', 'integration']);
    },
    PURGED_MS * 2,
  );

  it(
    'leaves no rows of runs that end after the deletion',
    async () => {
      const { api } = product;
      const { workspaceId, createIssue } = await githubWorkspace(api);
      let release = (): void => undefined;
      github.on('*', { status: 201, body: {}, until: new Promise<void>((resolve) => (release = resolve)) });
      const runs = [{}, { idempotencyKey: workspaceId }].map((key) => api.post(EXECUTE, { ...createIssue, ...key }));
      await eventually(async () => expect(github.requests).toHaveLength(2));

      await remove(workspaceId);
      await eventually(async () => expect(await leftOver(workspaceId)).toEqual([]), PURGED_MS);
      release();
      await Promise.all(runs);
      await eventually(async () => expect(await leftOver(workspaceId)).toEqual([]), PURGED_MS);
    },
    PURGED_MS * 2,
  );
});

describe('a sealed credential', () => {
  const endUsers = 'SELECT id FROM connections.end_users WHERE workspace_id = $1';
  it.each([
    ['connection', ({ id }: Personal) => `/api/v1/connections/${id}`],
    ['end user', ({ endUserId }: Personal) => `/api/v1/end-users/${endUserId}`],
    ['workspace', ({ workspaceId }: Personal) => `/api/v1/workspaces/${workspaceId}`],
  ])(
    'leaves no byte in any table once its %s is deleted',
    async (_what, pathOf) => {
      const { api, databaseUrl } = product;
      const { workspaceId } = await githubWorkspace(api);
      const fields = connection(`personal-${workspaceId}`, { scope: 'USER', workspaceId, endUserId: 'ann' });
      const { id } = (await api.post('/api/v1/connections', fields)).body.connection;
      const [person] = await rowsOf<{ id: string }>(databaseUrl, endUsers, [workspaceId]);
      const parts = await rowsOf<{ part: string }>(databaseUrl, SEALED, [id]);
      const left = async (): Promise<string[]> => {
        const stored = await databaseContents(databaseUrl);
        return parts.map(({ part }) => part).filter((part) => stored.includes(part));
      };
      expect(await left()).toHaveLength(2);

      expect((await api.delete(pathOf({ id, workspaceId, endUserId: person!.id }))).status).toBe(200);
      await eventually(async () => expect(await left()).toEqual([]), PURGED_MS);
    },
    PURGED_MS * 2,
  );
});

describe('a deleted connection', () => {
  it('is cleared from its integrations, and an execution answers CONNECTION_REQUIRED at every gateway', async () => {
    const { api } = product;
    const { workspaceId, connectionId, createIssue } = await githubWorkspace(api);
    for (const by of [...apis, ...apis]) expect((await by.post(EXECUTE, createIssue)).status).toBe(200);
    github.reset();

    expect((await api.delete(`/api/v1/connections/${connectionId}`)).status).toBe(200);
    const { integrations } = (await api.get(`/api/v1/workspaces/${workspaceId}/integrations`)).body;
    expect(integrations).toMatchObject([{ connectionId: null, connectionStatus: null }]);
    const refused = async (by: Api): Promise<void> =>
      expectError(await by.post(EXECUTE, createIssue), 400, 'CONNECTION_REQUIRED');
    await Promise.all(apis.map((by) => expectWithinASecond(() => refused(by))));
    const kept = 'SELECT connection_id FROM catalog.workspace_integrations WHERE workspace_id = $1';
    await eventually(async () =>
      expect(await rowsOf(product.databaseUrl, kept, [workspaceId])).toEqual([{ connection_id: null }]),
    );
    expectError(await api.post(EXECUTE, createIssue), 400, 'CONNECTION_REQUIRED');
  });
});

const idOf = ({ id }: { id: string }): string => id;
