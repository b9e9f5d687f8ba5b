import { describeError } from './errors.js';

describe('an error in the log', () => {
  it('has its name, code and stack frames', () => {
    const { name, code, frames } = describeError(Object.assign(new TypeError('secret'), { code: 'E1' }));
    expect({ name, code }).toEqual({ name: 'TypeError', code: 'E1' });
    expect(frames).toMatch(/^\s+at .*describe-error\.test/);
    expect(frames).not.toContain('secret');
  });

  it.each([
    ['of lines like frames', 'no\n    at secret (/secret.js:1:2)\n    at secret:3:4'],
    ['of 100,000 lines', '\n    at secret:1:1'.repeat(100_000)],
    ['of half a character', 'secret \ud83d'],
    ['that is empty', ''],
  ])('shows nothing of a message %s', (_, message) => {
    const { frames } = describeError(new Error(message));
    expect(frames).toContain('describe-error.test');
    expect(frames).not.toContain('secret');
  });

  it('shows no frames if the message was changed later, because they cannot be distinguished', () => {
    const error = new Error('before\n    at secret (/secret.js:1:2)');
    expect(error.stack).toContain('secret');
    error.message = 'after';
    expect(describeError(error).frames).toBeUndefined();
  });

  it.each([
    ['a text', 'secret', { name: 'string' }],
    ['nothing', undefined, { name: 'undefined' }],
    ['an error without a stack', Object.assign(new Error('secret'), { stack: undefined }), { name: 'Error' }],
  ])('may be %s', (_, thrown, shown) => {
    expect(JSON.parse(JSON.stringify(describeError(thrown)))).toEqual(shown);
  });

  it('has a name and a code of at most 100 characters', () => {
    const { name, code } = describeError(
      Object.assign(new Error('x'), { name: '😀'.repeat(500), code: 'c'.repeat(500) }),
    );
    expect([name, code].map((text) => [...text!].length)).toEqual([100, 100]);
  });
});
