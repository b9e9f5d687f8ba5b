import { shortestOf, storagePathsOf } from './storage-paths.js';
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

it('each prefix is found among others that it begins with, or that begin with it', () => {
  const [sought, texts] = [
    ['a/', 'prod', 'prod/', 'prod/keys/', 'z'],
    ['prod/b', 'production', 'y'].map((text) => ({ text, path: text })),
  ];
  const placeBelow = storagePathsOf(texts, shortestOf(sought))!;
  expect(sought.map(placeBelow)).toEqual([undefined, 'prod/b', 'prod/b', undefined, undefined]);
  expect(storagePathsOf(texts, shortestOf(['a/', 'prod/keys/', 'z']))).toBeUndefined();
});
