// Shapes: local
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid } from './support/expect.js';
import { newWorkspace } from './support/workspace-integrations.js';

const EXECUTE = '/api/v1/actions/execute';
/** The quota of one end user (docs/operating.md). */
const MAX_ENTRIES = 10_000;
/** Inserts state entries directly, because it would take minutes to store them through actions. */
const FILL = `
  INSERT INTO execution.state_entries (org_id, space_id, integration, key, seq, value, note, bytes, created_at)
  SELECT org_id, id, 'kv-store', 'k-' || n, n, '1', '{}', 1, now()
  FROM execution.state_spaces, generate_series(1, $2::int) AS n WHERE workspace_id = $1`;

let product: Drawbridge;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  workspaceId = await newWorkspace(product.api);
});

const call = (action: string, input: object, place: object = {}) => {
  const [integrationName, actionName] = action.split('.');
  return product.api.post(EXECUTE, { integrationName, actionName, workspaceId, endUserId: 'ann', input, ...place });
};

async function run(action: string, input: object = {}, place?: object): Promise<any> {
  const { status, body } = await call(action, input, place);
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  return body.output;
}

it('stores files and returns them unchanged', async () => {
  const file = { filename: 'a.txt', mimeType: 'text/plain', base64: Buffer.from('hällo').toString('base64') };
  const note = { filename: 'a.txt', mimeType: 'text/plain', size: 6 };
  expect(await run('storage.put', { path: 'reports/a.txt', file })).toEqual({ path: 'reports/a.txt', ...note });
  await run('storage.put', { path: 'b', file });
  expect(await run('storage.get', { path: 'reports/a.txt' })).toEqual(file);
  const { items } = await run('storage.list', { prefix: 'reports/' });
  expect(items).toEqual([{ path: 'reports/a.txt', ...note, createdAt: expect.any(String) }]);
  expect(await run('storage.delete', { path: 'b' })).toEqual({ path: 'b', deleted: true });
  expectInvalid(await call('storage.get', { path: 'b' }), 'input.path');
  expectInvalid(await call('storage.get', { path: 'reports/../a' }), 'input.path');
  expectInvalid(await call('storage.get', { path: '/a' }), 'input.path');
});

it('refuses a file that is too large for any response', async () => {
  const base64 = 'A'.repeat(7 * 1024 * 1024 + 4);
  const file = { filename: 'a', mimeType: 'application/octet-stream', base64 };
  expectInvalid(await call('storage.put', { path: 'large', file }), 'input.file');
});

it('stores, reads, finds and deletes memories', async () => {
  const { name } = await run('agent-memory.remember', { content: 'Ann likes green tea' });
  await run('agent-memory.remember', { name: 'colour', content: 'Green' });
  await run('agent-memory.remember', { name: 'colour', content: 'Blue' });
  expect(await run('agent-memory.recall', { name: 'colour' })).toMatchObject({
    found: true,
    memory: { content: 'Blue' },
  });
  expect((await run('agent-memory.search', { query: 'GREEN' })).items).toMatchObject([{ name }]);
  expect((await run('agent-memory.search')).items).toHaveLength(2);
  expect(await run('agent-memory.forget', { name })).toEqual({ name, forgotten: true });
  expect(await run('agent-memory.recall', { name })).toEqual({ found: false, memory: null });
});

it('keeps notes in order until they are cleared', async () => {
  for (const text of ['one', 'two', 'three']) await run('agent-scratchpad.append', { text });
  const { items, nextCursor } = await run('agent-scratchpad.read', { limit: 2 });
  expect(items).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  const rest = await run('agent-scratchpad.read', { cursor: nextCursor });
  expect(rest).toMatchObject({ items: [{ text: 'three' }], nextCursor: null });
  expectInvalid(await call('agent-scratchpad.read', { cursor: 'x' }), 'input.cursor');
  expect(await run('agent-scratchpad.clear')).toEqual({ cleared: 3 });
  expect((await run('agent-scratchpad.read')).items).toEqual([]);
});

it('numbers concurrent thoughts without gaps and keeps branches separate', async () => {
  const think = (thought: string, more: object = {}) => run('sequential-thinking.add_thought', { thought, ...more });
  const numbers = await Promise.all(['a', 'b', 'c'].map(async (thought) => (await think(thought)).thoughtNumber));
  expect(numbers.sort()).toEqual([1, 2, 3]);
  expect(await think('aside', { branchId: 'x', branchFrom: 2 })).toMatchObject({ branchId: 'x', thoughtNumber: 1 });
  expect(await think('better', { revises: 2 })).toMatchObject({ thoughtNumber: 4, revises: 2 });
  const { items } = await run('sequential-thinking.list_thoughts');
  expect(items.map((item: { thoughtNumber: number }) => item.thoughtNumber)).toEqual([1, 2, 3, 4]);
  expect((await run('sequential-thinking.list_thoughts', { branchId: 'x' })).items).toMatchObject([
    { thought: 'aside' },
  ]);
  const branches = {
    items: [
      { id: 'main', from: null, thoughts: 4 },
      { id: 'x', from: 2, thoughts: 1 },
    ],
  };
  expect(await run('sequential-thinking.list_branches')).toEqual(branches);
  expectInvalid(await call('sequential-thinking.add_thought', { thought: 'x', revises: 9 }), 'input.revises');
  expectInvalid(await call('sequential-thinking.add_thought', { thought: 'x', branchFrom: 1 }), 'input.branchFrom');
  await run('sequential-thinking.clear');
  expect(await think('again')).toMatchObject({ thoughtNumber: 1 });
});

it('enforces the quota of an end user and stores nothing of a refused call', async () => {
  const place = { workspaceId: await newWorkspace(product.api) };
  const think = (thought: string) => run('sequential-thinking.add_thought', { thought }, place);
  expect((await think('first')).thoughtNumber).toBe(1);
  // The call above stored two entries, a thought and its branch. After these rows, only one more entry fits into the quota.
  await rowsOf(product.databaseUrl, FILL, [place.workspaceId, MAX_ENTRIES - 3]);
  await run('kv-store.set', { key: 'k-0', value: 1 }, place);
  const refused = [
    await call('kv-store.set', { key: 'one more', value: 1 }, place),
    await call('agent-memory.remember', { content: 'One more' }, place),
    await call('sequential-thinking.add_thought', { thought: 'One more' }, place),
  ];
  for (const answer of refused) {
    expectError(answer, 400, 'ACTION_FAILED');
    expect(answer.body.details).toMatchObject({ provider: { code: 'QUOTA_EXCEEDED' }, retryable: false });
  }
  await run('kv-store.set', { key: 'k-0', value: 2 }, place);
  await run('kv-store.set', { key: 'k-0', value: 3 }, { ...place, endUserId: 'bob' });
  expect((await run('kv-store.delete', { key: 'k-0' }, place)).deleted).toBe(true);
  expect((await think('second')).thoughtNumber).toBe(2);
});
