import { type ApiTool } from './api-tool.js';
import { declarationsOf } from './declarations.js';
import { inSlices } from './in-slices.js';
import { searchIndex } from './search.js';

const PROPERTIES = Object.fromEntries(
  Array.from({ length: 15 }, (_, at) => [
    `key_${at}`,
    { type: 'string' as const, description: 'Says what it is for.' },
  ]),
);
const MANY: ApiTool[] = Array.from({ length: 5_000 }, (_, at) => ({
  ...{ alias: `a${at % 100}`, actionName: `create_${at}`, integrationName: 'github', integrationDisplayName: 'GitHub' },
  ...{ displayName: `Create ${at}`, description: 'Creates a thing.', category: 'write', effect: 'write' },
  ...{ inputSchema: { type: 'object', properties: PROPERTIES }, defaultedKeys: [] },
}));

/** Returns the longest time during which no other work could run, as a fraction of the time of `work`. */
async function longestPart(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longest = 0;
  const startedAt = performance.now();
  let before = startedAt;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work().finally(() => (isDone = true));
  look();
  return longest / (performance.now() - startedAt);
}

it.each<[string, () => Promise<unknown>]>([
  ['the index', async () => searchIndex(MANY)],
  ['the declarations', async () => declarationsOf(MANY)],
])(
  'does not block other work while it builds %s of 5,000 tools',
  async (_, work) => {
    await work(); // The first run also compiles the code.
    expect(await longestPart(work)).toBeLessThan(0.5);
  },
  60_000,
);

it('keeps the order', async () => {
  const items = Array.from({ length: 100 }, (_, at) => at);
  const busy = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };
  expect(await inSlices(items, (item, at) => (busy(1), item + at))).toEqual(items.map((item) => 2 * item));
});
