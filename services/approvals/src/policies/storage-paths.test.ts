import { isTrue } from './testing/reasons.js';

describe('storagePathPrefixes', () => {
  it.each([
    ['prod/', 'prod/a', true],
    ['prod/', '/prod/a', true],
    ['/prod/', './prod/a', true],
    ['prod/', 'dev/../prod/a', true],
    ['prod/', 'dev//..\\..\\prod\\a', true],
    ['prod', 'production', true],
    ['prod/', 'dev/prod/a', false],
    ['prod/', 'prod', false],
    ['user:', 'user:7', true],
  ])('%j and %j: %s', (prefix, key, wanted) => {
    expect(isTrue({ storagePathPrefixes: ['never/', prefix] }, { list: [{ key }] })).toBe(wanted);
  });
});
