import { posix } from 'node:path';
import fc from 'fast-check';
import { storagePathsOf, toPathPrefixes } from './storage-paths.js';
import { isTrue, reasons } from './testing/reasons.js';

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
    ['prod/', '../../prod/a', true],
    ['prod/', 'dev/../../prod/a', true],
    ['prod/', '\\dev\\..\\prod\\a', true],
    ['prod\\', 'prod\\a', true],
    ['.\\prod\\', '/prod/a', true],
    ['prod/', 'prod/../dev', true],
    ['dev/', 'prod/../dev', false],
    ['dev/', 'prod/../dev/', true],
    ['prod/', `${'a/'.repeat(300)}${'../'.repeat(300)}prod/a`, true],
    ['prod/', `${'a/'.repeat(300)}${'../'.repeat(299)}prod/a`, false],
    ['x'.repeat(255), `dev/../${'x'.repeat(255)}y`, true],
  ])('%j and %j: %s', (prefix, key, wanted) => {
    expect(isTrue({ storagePathPrefixes: ['never/', prefix] }, { list: [{ key }] })).toBe(wanted);
  });
});

it('each prefix is found among others that it begins with, or that begin with it', () => {
  const [sought, texts] = [
    ['a/', 'prod', 'prod/', 'prod/keys/', 'z'],
    ['prod/b', 'production', 'y'].map((text) => ({ text, path: text })),
  ];
  const { places } = storagePathsOf(texts, toPathPrefixes(sought));
  expect(sought.map((prefix) => places.get(prefix))).toEqual([undefined, 'prod/b', 'prod/b', undefined, undefined]);
  expect(storagePathsOf(texts, toPathPrefixes(['a/', 'prod/keys/', 'z'])).places.size).toBe(0);
});

it('more texts than are looked at are a reason', () => {
  const storagePathPrefixes = Array.from({ length: 255 }, (_, n) => `${'x'.repeat(n)}!`);
  const lookedAt = Array.from({ length: 3_000 }, () => 'y'.repeat(255));
  expect(reasons({ storagePathPrefixes }, { lookedAt })).toEqual([]);
  expect(reasons({ storagePathPrefixes }, { tooMany: [...lookedAt, ...lookedAt] })).toEqual([
    'storagePathPrefixes: there are too many strings to evaluate',
  ]);
});

it('reads a path as the file system does, in the same time for each segment', () => {
  const segment = fc.constantFrom('a', 'b', '..', '.', '', 'prod');
  const property = fc.property(fc.array(segment, { maxLength: 12 }), (segments) => {
    const path = segments.join('/');
    const read = posix.normalize(`/${path}`).slice(1);
    expect(isTrue({ storagePathPrefixes: [read || '/'] }, { path: `x/../${path}` })).toBe(true);
  });
  fc.assert(property, { numRuns: 2_000 });
});
