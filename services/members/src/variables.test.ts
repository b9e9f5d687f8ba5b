import { VARIABLES } from './variables.js';

const { check } = VARIABLES.BOOTSTRAP_API_KEY;

it('accepts a first key of svc_ and 20 letters and digits', () => {
  expect(() => check(`svc_${'aZ09'.repeat(5)}`)).not.toThrow();
});

it('refuses a shorter first key, and says its length', () => {
  const expected = 'must be svc_ and at least 20 letters and digits (got 23 characters)';
  expect(() => check(`svc_${'a'.repeat(19)}`)).toThrow(new Error(expected));
});
