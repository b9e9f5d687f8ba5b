// Shapes: local
import { type Answer, type Api, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { operatorOf } from './support/operator.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/audit-log';

/**
 * A filter with an unknown id or another organization's id returns an empty list instead of an error, because entries of deleted resources must be
 * found.
 */
const FILTERS = { 'query.workspaceId': null, 'query.actor': null, 'query.resourceId': null };

export const OPERATIONS: Operations = {
  ListAuditEntries: { call: () => ({ query: { limit: 10 } }), ids: FILTERS },
  ExportAuditLog: { call: () => ({ query: { action: 'workspace.create' } }), ids: FILTERS },
};

let product: Drawbridge;
let api: Api;
let other: Api;
let keyId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
  keyId = (await api.get('/api/v1/api-keys')).body.apiKeys[0].id;
});

async function newWorkspace(slug: string, own = api): Promise<string> {
  return (await own.post('/api/v1/workspaces', { name: 'Audited', slug })).body.workspace.id;
}

const entriesOf = async (query: string, own = api): Promise<any[]> => (await own.get(`${PATH}?${query}`)).body.entries;

/** Waits until `count` entries exist, because events arrive with a delay. */
function entriesOnceThere(query: string, count: number, own = api): Promise<any[]> {
  return eventually(async () => {
    const entries = await entriesOf(query, own);
    if (entries.length < count) throw new Error(`${query}: ${entries.length} of ${count} entries`);
    expect(entries).toHaveLength(count);
    return entries;
  });
}

const actionsOf = (entries: any[]): string[] => entries.map(({ action }) => action);

describe('the audit log', () => {
  it('records actor, action, resource, address and time, newest first', async () => {
    const id = await newWorkspace('audited');
    const headers = { 'x-request-id': 'audit-1' };
    await api.patch(`/api/v1/workspaces/${id}`, { name: 'Renamed' }, headers);
    await api.delete(`/api/v1/workspaces/${id}`);
    const entries = await entriesOnceThere(`resourceId=${id}`, 3);
    expect(actionsOf(entries)).toEqual(['workspace.delete', 'workspace.update', 'workspace.create']);
    expect(entries[1]).toEqual({
      id: expect.stringMatching(UUID_V7),
      orgId: product.orgId,
      workspaceId: id,
      actor: { type: 'api_key', id: keyId, name: 'First key' },
      action: 'workspace.update',
      resource: { type: 'workspace', id, name: 'Renamed' },
      outcome: 'allowed',
      reason: null,
      requestId: 'audit-1',
      address: expect.stringMatching(/127\.0\.0\.1$/),
      createdAt: expect.stringMatching(TIMESTAMP),
    });
  });

  it('is paged by a cursor that stays stable while entries arrive', async () => {
    const id = await newWorkspace('audited-pages');
    for (const name of ['One', 'Two', 'Three']) await api.patch(`/api/v1/workspaces/${id}`, { name });
    await entriesOnceThere(`workspaceId=${id}`, 4);
    const { body: first } = await api.get(`${PATH}?workspaceId=${id}&limit=2`);
    await api.patch(`/api/v1/workspaces/${id}`, { name: 'Four' });
    await entriesOnceThere(`workspaceId=${id}`, 5);
    const { body: second } = await api.get(`${PATH}?workspaceId=${id}&limit=2&cursor=${first.nextCursor}`);
    const names = [first, second].map(({ entries }) => entries.map(({ resource }: any) => resource.name));
    expect(names).toEqual([
      ['Three', 'Two'],
      ['One', 'Audited'],
    ]);
    expect(second.nextCursor).toBeNull();
  });

  it('is filtered by workspace, actor, action, resource and time', async () => {
    const { body: key } = await api.post('/api/v1/api-keys', { name: 'Filtered' });
    const id = await newWorkspace('audited-filters', apiOf(product.baseUrl, key.plainKey));
    const [created] = await entriesOnceThere(`actor=${key.apiKey.id}`, 1);
    expect(created).toMatchObject({ action: 'workspace.create', actor: { name: 'Filtered' }, resource: { id } });
    const all = `workspaceId=${id}&actor=${key.apiKey.id}&action=workspace.create&resourceType=workspace&resourceId=${id}`;
    expect(await entriesOf(all)).toEqual([created]);
    expect(await entriesOf(`${all}&from=${created.createdAt}`)).toEqual([created]);
    expect(await entriesOf(`${all}&to=${created.createdAt}`)).toEqual([]);
    expect(await entriesOf(`resourceId=${id}&action=workspace.delete`)).toEqual([]);
    expect(await entriesOf(`resourceId=${id}&resourceType=connection`)).toEqual([]);
    expect(actionsOf(await entriesOf(`resourceType=api_key&resourceId=${key.apiKey.id}`))).toEqual(['api_key.create']);
  });

  it.each([
    ['workspaceId=x', 'workspaceId'],
    ['actor=me', 'actor'],
    ['resourceId=1', 'resourceId'],
    ['from=yesterday', 'from'],
    ['to=2026-02-31T99:00:00Z', 'to'],
    ['cursor=x', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['outcome=denied', 'outcome'],
  ])('refuses an invalid filter: %s', async (query, path) => {
    expectInvalid(await api.get(`${PATH}?${query}`), path);
  });

  it('shows no entries of another organization, whatever the filter names', async () => {
    const id = await newWorkspace('audited-theirs', other);
    const [theirs] = await entriesOnceThere(`resourceId=${id}`, 1, other);
    expect(await entriesOf(`workspaceId=${id}`)).toEqual([]);
    expect(await entriesOf(`actor=${theirs.actor.id}`)).toEqual([]);
    expect(JSON.stringify(await entriesOf('limit=100'))).not.toContain(theirs.orgId);
  });

  it('requires an organization-wide key with the grant audit_log.view', async () => {
    const workspaceIds = [await newWorkspace('audited-scope')];
    const asked = async (permissions: object): Promise<Answer> => {
      const { body } = await api.post('/api/v1/api-keys', { name: 'x', permissions });
      return apiOf(product.baseUrl, body.plainKey).get(`${PATH}?workspaceId=${workspaceIds[0]}`);
    };
    expect((await asked({ scope: 'org', grants: ['audit_log.view'] })).status).toBe(200);
    expectError(await asked({ scope: 'org', grants: ['members.write', 'workspaces.write'] }), 403, 'FORBIDDEN');
    expectError(await asked({ scope: 'workspace', workspaceIds }), 403, 'SCOPE_DENIED');
    expectError(await apiOf(product.baseUrl).get(PATH), 401, 'UNAUTHENTICATED');
  });

  it('is exported in the order of the list, one line for each entry', async () => {
    const id = await newWorkspace('audited-export');
    for (const name of ['One', 'Two']) await api.patch(`/api/v1/workspaces/${id}`, { name });
    const entries = await entriesOnceThere(`workspaceId=${id}`, 3);
    const { status, body, headers } = await api.get(`${PATH}/export?workspaceId=${id}`);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'application/x-ndjson' });
    expect(body).toBe(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    expect((await api.get(`${PATH}/export?workspaceId=${id}&action=workspace.delete`)).body).toBeUndefined();
    expectInvalid(await api.get(`${PATH}/export?limit=10`), 'limit');
  });

  it('is verified entry by entry', async () => {
    await newWorkspace('audited-verified');
    await entriesOnceThere('action=workspace.create&limit=1', 1);
    const operator = operatorOf(product.databaseUrl);
    const found = await operator.verifyAuditLog(product.orgId);
    expect(found).toMatchObject({ verified: true, organizations: [{ orgId: product.orgId, problems: [] }] });
    const { head, entries } = found.organizations[0]!;
    expect(head).toMatch(new RegExp(`^${entries}:[0-9a-f]{64}$`));
    await operator.verifyAuditLog(product.orgId, head);
  });
});
