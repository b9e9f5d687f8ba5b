import { action } from './action.js';

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
