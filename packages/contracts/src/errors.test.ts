import { invalid } from './errors.js';

const fieldsOf = (problems: Record<string, string>): string[] =>
  Object.keys(invalid(problems).details['fields'] as Record<string, unknown>);

describe('invalid', () => {
  it('names each offending key', () => {
    const error = invalid({ 'values.amount': 'must be a number', 'keys[2]': 'unknown key' });
    expect(error).toMatchObject({
      status: 400,
      message: 'values.amount: must be a number; keys[2]: unknown key',
      details: { fields: { 'values.amount': { message: 'must be a number' }, 'keys[2]': { message: 'unknown key' } } },
    });
  });

  it('cuts a path of long non-BMP keys between characters', () => {
    const [path] = fieldsOf({ [`input.a${'😀'.repeat(300)}`]: 'unknown key' });
    expect(path).toBe(`input.a${'😀'.repeat(193)}`);
  });

  it('is well-formed text whatever a key or a message quotes', () => {
    const error = invalid({ 'input.\ud83d': 'is \udc00' });
    expect(
      [error.message, ...Object.keys(error.details['fields'] as object)].map((text) => text.isWellFormed()),
    ).toEqual([true, true]);
  });

  it('names at most 100 problems and 6 kB of them', () => {
    const many = (count: number, message: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`values.k${index}`, message]));
    expect(fieldsOf(many(100, 'no'))).toHaveLength(100);
    expect(fieldsOf(many(101, 'no'))).toHaveLength(100);
    expect(Buffer.byteLength(invalid(many(50, '漢'.repeat(100))).message)).toBeLessThan(6_200);
    expect(Buffer.byteLength(invalid({ only: '漢'.repeat(50_000) }).message)).toBeLessThan(6_200);
  });
});
