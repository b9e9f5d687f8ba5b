import { toProviderId } from './record-events.js';

it.each(['1', 'évt', 'x'.repeat(255)])('keeps the id that a third party gave: %s', (id) => {
  expect(toProviderId(id)).toBe(id);
});

it('keeps of an id that PostgreSQL cannot keep what tells it from others', () => {
  expect(toProviderId('a\0')).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(toProviderId('a\0')).not.toBe(toProviderId('a\0\0'));
});

it('tells long ids apart by all of their characters', () => {
  const [one, other] = ['x'.repeat(256), `${'x'.repeat(255)}y`];
  expect(toProviderId(one)).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(toProviderId(other)).not.toBe(toProviderId(one));
  expect(toProviderId(one)).toBe(toProviderId(one));
});
