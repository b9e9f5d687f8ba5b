import { type ApiTool } from './api-tool.js';
import { EVERY } from './fixtures/every-tool.js';
import { searchIndex } from './search.js';

const index = await searchIndex(EVERY);
const found = (query: string, limit?: number): string[] => index.search(query, limit).map(({ path }) => path);

it.each([
  ['send a slack message', 'slack.send_message'],
  ['slack send_message', 'slack.send_message'],
  ['send a slak mesage', 'slack.send_message'],
  ['post message to slack channel', 'slack.send_message'],
  ['github create issue', 'github.create_issue'],
  ['gihtub isue', 'github.create_issue'],
  ['open a bug in github', 'github.create_issue'],
  ['createIssue github', 'github.create_issue'],
  ['stripe customer new', 'stripe.create_customer'],
])('finds by %j', (query, path) => {
  expect(found(query, 3)).toContain(path);
});

it('describes what it found', () => {
  const [first] = index.search('slack send message');
  expect(first).toMatchObject({ path: 'slack.send_message', effect: 'write' });
  expect(first!.call).toMatch(/^svc\.slack\.send_message\(\{channel: string.*\}\)$/);
  expect(first!.description).not.toBe('');
});

it('returns 10 by default, at most 20 and at least 1', () => {
  expect(found('create list get send').length).toBe(10);
  expect(found('create list get send', 99).length).toBe(20);
  expect(found('create list get send', 0).length).toBe(1);
  expect(found('create list get send', NaN).length).toBe(1);
});

it.each(['', '   ', '!!!', '\u202e', '\ud800', 'zzzzqqqqxxxx', '__proto__', 'constructor', 'a'.repeat(500)])(
  'finds nothing by %j, and does not fail',
  (query) => {
    expect(index.search(query).length).toBeLessThanOrEqual(10);
  },
);

it('reads the first 200 characters of a query', () => {
  expect(found(`${' '.repeat(185)}slack message`)).toEqual(found('slack message'));
  expect(found(`${' '.repeat(200)}slack message`)).toEqual([]);
});

it('finds nothing among no tools', async () => {
  expect((await searchIndex([])).search('slack')).toEqual([]);
});

it('indexes hostile names and cuts long texts', async () => {
  const hostile: ApiTool = {
    ...EVERY[0]!,
    alias: 'constructor',
    actionName: '__proto__',
    description: 'é*/ '.repeat(100_000),
  };
  const [first] = (await searchIndex([hostile])).search('proto');
  expect(first).toMatchObject({ path: 'constructor.__proto__' });
  expect(first!.description.length).toBeLessThanOrEqual(200);
});
