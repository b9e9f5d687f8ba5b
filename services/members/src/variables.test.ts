import { VARIABLES } from './variables.js';

const { check } = VARIABLES.BOOTSTRAP_API_KEY;

it.each([20, 200])('accepts a first key of svc_ and %d letters and digits', (length) => {
  expect(() => check(`svc_${'aZ09'.repeat(length / 4)}`)).not.toThrow();
});

it.each([19, 201])('refuses a first key of svc_ and %d letters and digits, and says its length', (length) => {
  const expected = `must be svc_ and at least 20 and at most 200 letters and digits (got ${length + 4} characters)`;
  expect(() => check(`svc_${'a'.repeat(length)}`)).toThrow(new Error(expected));
});
