import { redactors } from './open.js';

describe('the redactor of a credential', () => {
  it('is built once for runs that follow each other, and anew for another credential', () => {
    const redactorFor = redactors();
    const first = redactorFor('a 1', () => ['secret-1']);
    expect(redactorFor('a 1', () => ['secret-1'])).toBe(first);
    expect(redactorFor('a 2', () => ['secret-2']).secrets).toEqual(['secret-2']);
    expect(redactorFor('b 1', () => ['secret-3']).secrets).toEqual(['secret-3']);
  });

  it('is let go after its time, however often it is asked for', async () => {
    const redactorFor = redactors(20);
    const first = redactorFor('a 1', () => ['secret-1']);
    while (redactorFor('a 1', () => ['secret-1']) === first) await new Promise(setImmediate);
  });

  it('says the memory that it takes: more, the longer its secrets are', () => {
    const [short, long] = ['ab%41'.repeat(2), 'ab%41'.repeat(200)].map((secret) => redactors()('a', () => [secret]));
    expect(long!.bytes).toBeGreaterThan(10 * short!.bytes);
  });
});
