import { action, statefulAction } from './action.js';
import type { RunContext } from './run-context.js';
import type { JsonObject } from './json.js';

const declared = { displayName: 'Do', description: 'Does it.', props: {} } as const;

it.each([
  ['read', 'read', true],
  ['write', 'write', false],
  ['send', 'write', false],
  ['payment', 'write', false],
  ['delete', 'destructive', false],
  ['admin', 'destructive', false],
  ['code', 'destructive', false],
] as const)('knows the effect of the category %s', (category, effect, idempotent) => {
  expect(action({ ...declared, category, run: async () => ({}) })).toMatchObject({ effect, idempotent });
});

it.each([
  ['read', undefined, true],
  ['send', undefined, true],
  ['payment', undefined, true],
  ['write', undefined, false],
  ['write', true, true],
  ['delete', undefined, false],
] as const)('knows whether an action of the category %s that declares adds: %s only adds', (category, adds, known) => {
  expect(action({ ...declared, category, adds, run: async () => ({}) }).adds).toBe(known);
});

it('runs no action that keeps something without a place for it', async () => {
  const keep = statefulAction({
    ...declared,
    category: 'write',
    run: async ({ state }) => ({ kept: await state.clear() }),
  });
  expect(keep).toMatchObject({ usesState: true, effect: 'write', idempotent: false });
  await expect(keep.run({ input: {} } as RunContext<JsonObject>)).rejects.toThrow('needs a state');
});
