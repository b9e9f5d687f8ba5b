// Shapes: local, processes
import fc from 'fast-check';
import { type FakeProvider } from '@drawbridge/testkit';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { type OwnedResources, ownedResources } from './support/owned-resources.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { callOperation, type Operation, operationsOf, withValue } from './support/operations.js';
import { newPerson } from './support/people.js';
import { provider } from './support/provider.js';
import { shared } from './support/shared.js';

/** Between processes what differs is how a request travels, not what is made of it. */
const TRIES = shared().shape === 'processes' ? 8 : 40;

/** Characters of two units each, behind one of one: a cut after an even number of units halves one of them. */
const FACES = `a${'😀'.repeat(150)}`;

/** What people and programs send where something else was meant. */
const anything = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as unknown),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom<unknown>(
    '',
    '\0',
    '\ud800',
    '%00',
    '../..',
    "'; DROP TABLE x; --",
    '{{x}}',
    '__proto__',
    'x'.repeat(5_000),
    'a' + '😀'.repeat(3_000),
    { ['a' + '😀'.repeat(900)]: '\0' },
    { ['k'.repeat(17_000)]: 1 },
    nested(31),
    nested(200),
    Array(60_000).fill(0),
    FACES,
    '漢'.repeat(1_000),
  ),
  fc.string({ unit: 'binary', minLength: 190, maxLength: 410 }),
  fc.constantFrom<unknown>({ [FACES]: FACES }, [{ [FACES]: [FACES] }], { '\ud83d': '\udc00' }),
  fc.constantFrom<unknown>(0, -1, 1e308, 2 ** 31, 2 ** 53, 0.1, null, true, [], {}, [[[[[[]]]]]], {
    __proto__: 1,
    $ref: '#',
  }),
  fc.uuid(),
);

describe('a generated request', () => {
  let product: Drawbridge;
  let github: FakeProvider;
  let operations: Operation[];
  let mine: OwnedResources;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    operations = await operationsOf(product.api);
    mine = await ownedResources(product.api, await newPerson(product));
  });
  afterAll(() => github.stop());

  // What a run of this file found once.
  it('is refused where an object without a text form stands for a text', async () => {
    const operation = operations.find(({ id }) => id === 'UpdateWorkspaceIntegration')!;
    const call = withValue(await EVERY_OPERATION[operation.id]!.call(mine), 'body.displayName', { toString: false });
    expectError(await callOperation(mine.api, operation, call), 400, 'VALIDATION_ERROR');
  });

  it.each(Object.keys(EVERY_OPERATION))('never ends in a 5xx: %s', async (id) => {
    const operation = operations.find((one) => one.id === id)!;
    const mutations = fc.array(fc.tuple(fc.constantFrom(...positionsOf(operation)), anything), {
      minLength: 1,
      maxLength: 4,
    });
    const property = fc.asyncProperty(mutations, async (changes) => {
      const good = await EVERY_OPERATION[id]!.call(mine);
      const call = changes.reduce((rest, [position, value]) => withValue(rest, position, value), good);
      const { status, body } = await callOperation(mine.api, operation, stringPaths(call));
      expect({ status: status >= 500 ? status : 'fine', code: status >= 500 && body }).toEqual({
        status: 'fine',
        code: false,
      });
      // A query past 16 KiB is refused before there is an operation.
      if (status >= 400 && status !== 431) expect(operation.failures).toContain(`${status} ${body.code}`);
      if (status >= 400)
        expect(body).toEqual({ error: expect.any(String), code: expect.any(String), details: expect.any(Object) });
    });
    await fc.assert(property, { numRuns: TRIES });
  });
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

function positionsOf({ path, queryKeys, bodyKeys }: Operation): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`);
  const place = bodyKeys.length > 0 ? 'body' : 'query';
  const extra = [`${place}.somethingElse`, `${place}.${FACES}`];
  return [...inPath, ...queryKeys.map((key) => `query.${key}`), ...bodyKeys.map((key) => `body.${key}`), ...extra];
}

/** A path segment is text; an empty one, or a dot, would be another path. */
function stringPaths(call: { path?: Record<string, unknown> }): { path: Record<string, string> } {
  const entries = Object.entries(call.path ?? {}).map(([name, value]) => [name, printable(value)]);
  return { ...call, path: Object.fromEntries(entries) };
}

function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return ['', '.', '..'].includes(text) ? 'x' : text.replace(/[\ud800-\udfff]/g, 'x');
}
