import { toEmail } from './to-email.js';

describe('an email', () => {
  it.each([
    ['ann@acme.example', 'ann@acme.example'],
    ['  Ann@ACME.Example\n', 'ann@acme.example'],
    ['owner@localhost', 'owner@localhost'],
    ["o'neil+tag@mail.acme.example", "o'neil+tag@mail.acme.example"],
    [`${'a'.repeat(64)}@a.example`, `${'a'.repeat(64)}@a.example`],
    [`a@${'b.'.repeat(122)}examples`, `a@${'b.'.repeat(122)}examples`],
  ])('is kept without spaces around it and in lower case: %j', (given, kept) => {
    expect(toEmail(given)).toBe(kept);
  });

  it.each([
    ...['', ' ', 'ann', '@acme.example', 'ann@', 'ann@acme..example', 'ann@-acme.example', 'a@b@c', 'a b@acme.example'],
    ...['ann@acme.example\r\nBcc: bob@acme.example', 'Ann <ann@acme.example>', 'ann@acme.example,bob@acme.example'],
    ...['an\u0000n@acme.example', 'ann@\u212Aelvin.example', 'änn@acme.example', `${'a'.repeat(65)}@a.example`],
    ...[`a@${'b.'.repeat(123)}example`],
  ])('is refused: %j', (given) => {
    expect(() => toEmail(given)).toThrow('email: must be an email address');
  });
});
