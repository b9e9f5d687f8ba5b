// Shapes: none; in full: local, processes
import fc from 'fast-check';
import { type FakeProvider } from '@drawbridge/testkit';
import { anything, FACES } from './support/anything.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { type OwnedResources, ownedResources } from './support/owned-resources.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { callOperation, type Operation, operationsOf, withValue } from './support/operations.js';
import { newPerson } from './support/people.js';
import { provider } from './support/provider.js';
import { shared } from './support/shared.js';

/** Separate processes only change the transport of a request, so fewer attempts are sufficient. Set `FUZZ_TRIES=1000` for more. */
const TRIES = Number(process.env['FUZZ_TRIES'] ?? (shared().shape === 'processes' ? 4 : 20));

describe('a generated request', () => {
  let product: Drawbridge;
  let github: FakeProvider;
  let operations: Operation[];
  let mine: OwnedResources;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    operations = await operationsOf(product.api);
  });
  // A policy that an earlier operation generated would apply to calls of later operations in the same organization.
  beforeEach(async () => {
    mine = await ownedResources((await newPerson(product)).api, await newPerson(product));
  });
  afterAll(() => github.stop());

  // Generated requests rarely contain such an object, so this test always sends it.
  it('refuses an object without toString in place of a text', async () => {
    const operation = operations.find(({ id }) => id === 'UpdateWorkspaceIntegration')!;
    const call = withValue(await EVERY_OPERATION[operation.id]!.call(mine), 'body.displayName', { toString: false });
    expectError(await callOperation(mine.api, operation, call), 400, 'VALIDATION_ERROR');
  });

  it.each(Object.keys(EVERY_OPERATION))('never causes a 5xx: %s', async (id) => {
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
      // The HTTP parser rejects a query of more than 16 KiB before the operation is determined.
      if (status >= 400 && status !== 431) expect(operation.failures).toContain(`${status} ${body.code}`);
      if (status >= 400)
        expect(body).toEqual({ error: expect.any(String), code: expect.any(String), details: expect.any(Object) });
    });
    await fc.assert(property, { numRuns: TRIES });
  });
});

function positionsOf({ path, queryKeys, bodyKeys }: Operation): string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path.${name}`);
  const place = bodyKeys.length > 0 ? 'body' : 'query';
  const extra = [`${place}.somethingElse`, `${place}.${FACES}`];
  return [...inPath, ...queryKeys.map((key) => `query.${key}`), ...bodyKeys.map((key) => `body.${key}`), ...extra];
}

/** Converts path parameters to strings. An empty segment or a dot would result in another path. */
function stringPaths(call: { path?: Record<string, unknown> }): { path: Record<string, string> } {
  const entries = Object.entries(call.path ?? {}).map(([name, value]) => [name, printable(value)]);
  return { ...call, path: Object.fromEntries(entries) };
}

function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return ['', '.', '..'].includes(text) ? 'x' : text.replace(/[\ud800-\udfff]/g, 'x');
}
