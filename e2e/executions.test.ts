// Shapes: local
import { type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const PATH = '/api/v1/executions';

export const OPERATIONS: Operations = {
  ListExecutions: { call: ({ workspaceId }) => ({ query: { workspaceId } }) },
  GetExecutionEvents: {
    call: ({ executionId: id }) => ({ path: { id } }),
    ids: { 'path.id': 'executionId' },
  },
  GetExecution: { call: ({ executionId: id }) => ({ path: { id } }), ids: { 'path.id': 'executionId' } },
};

let api: Api;
let other: Api;
let workspaceId: string;

beforeAll(async () => {
  ({ api, other } = await drawbridge());
  workspaceId = await newWorkspace('executions');
  for (const text of ['first', 'second', 'third']) await hash(text);
});

async function newWorkspace(slug: string): Promise<string> {
  return (await api.post('/api/v1/workspaces', { name: 'Executions', slug })).body.workspace.id;
}

async function hash(text: string): Promise<void> {
  const action = { integrationName: 'hash-encode', actionName: 'hash', workspaceId };
  const { status } = await api.post('/api/v1/actions/execute', { ...action, input: { text, algorithm: 'sha256' } });
  expect(status).toBe(200);
}

const textsOf = (body: any): string[] => body.executions.map(({ input }: any) => input.text);

describe('the run log', () => {
  it('lists the newest first, in pages', async () => {
    const { body: first } = await api.get(`${PATH}?limit=2`);
    const { body: second } = await api.get(`${PATH}?limit=2&cursor=${first.nextCursor}`);
    expect([textsOf(first), textsOf(second)]).toEqual([['third', 'second'], ['first']]);
    expect(second.nextCursor).toBeNull();
  });

  it('filters by workspace', async () => {
    const empty = await newWorkspace('executions-none');
    expect(textsOf((await api.get(`${PATH}?workspaceId=${empty}`)).body)).toEqual([]);
    expect(textsOf((await api.get(`${PATH}?workspaceId=${workspaceId}`)).body)).toHaveLength(3);
  });

  it('refuses an invalid cursor', async () => {
    expectInvalid(await api.get(`${PATH}?cursor=x`), 'cursor');
  });

  it('shows an execution only to its organization', async () => {
    const { id } = (await api.get(PATH)).body.executions[0];
    expect((await api.get(`${PATH}/${id}`)).body.execution).toMatchObject({ id, workspaceId, status: 'success' });
    expectError(await other.get(`${PATH}/${id}`), 404, 'NOT_FOUND');
    expectError(await api.get(`${PATH}/${UNKNOWN_ID}`), 404, 'NOT_FOUND');
  });
});
