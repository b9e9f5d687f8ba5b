// Shapes: local
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectInvalid } from './support/expect.js';
import { newWorkspace } from './support/workspace-integrations.js';

const EXECUTE = '/api/v1/actions/execute';

let product: Drawbridge;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  workspaceId = await newWorkspace(product.api);
});

const call = (action: string, input: object) => {
  const [integrationName, actionName] = action.split('.');
  return product.api.post(EXECUTE, { integrationName, actionName, workspaceId, endUserId: 'ann', input });
};

async function run(action: string, input: object = {}): Promise<any> {
  const { status, body } = await call(action, input);
  expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
  return body.output;
}

it('stores files, and answers them as they came', async () => {
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

it('refuses a file that no answer could carry', async () => {
  const base64 = 'A'.repeat(7 * 1024 * 1024 + 4);
  const file = { filename: 'a', mimeType: 'application/octet-stream', base64 };
  expectInvalid(await call('storage.put', { path: 'large', file }), 'input.file');
});

it('remembers, recalls, finds and forgets', async () => {
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

it('keeps notes in their order until they are cleared', async () => {
  for (const text of ['one', 'two', 'three']) await run('agent-scratchpad.append', { text });
  const { items, nextCursor } = await run('agent-scratchpad.read', { limit: 2 });
  expect(items).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  const rest = await run('agent-scratchpad.read', { cursor: nextCursor });
  expect(rest).toMatchObject({ items: [{ text: 'three' }], nextCursor: null });
  expectInvalid(await call('agent-scratchpad.read', { cursor: 'x' }), 'input.cursor');
  expect(await run('agent-scratchpad.clear')).toEqual({ cleared: 3 });
  expect((await run('agent-scratchpad.read')).items).toEqual([]);
});

it('numbers thoughts, also of many at once, and keeps branches apart', async () => {
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
  expect(await think('anew')).toMatchObject({ thoughtNumber: 1 });
});
