import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { contentHash, nameHash } from './fingerprint.mjs';
import { ROOT } from './step.mjs';

let folder;
beforeEach(() => {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  folder = relative(ROOT, mkdtempSync(join(ROOT, '.cache/fingerprint-')));
});
afterEach(() => rmSync(join(ROOT, folder), { recursive: true }));

function write(name, text = '') {
  mkdirSync(dirname(join(ROOT, folder, name)), { recursive: true });
  writeFileSync(join(ROOT, folder, name), text);
}

it('hashes the contents and names of files and of source folders', () => {
  const seen = new Set();
  const look = () => seen.add(contentHash([folder, `${folder}/missing`, `${folder}/a.ts`]));
  look();
  for (const change of [() => write('src/a.ts'), () => write('src/a.ts', 'x'), () => write('src/b.ts', 'x')]) {
    change();
    look();
  }
  rmSync(join(ROOT, folder, 'src/a.ts'));
  look();
  write('a.ts', 'x');
  look();
  expect(seen.size).toBe(6);
});

it('ignores tests and what the build writes in a source folder, but not in a folder that the build writes', () => {
  const before = contentHash([folder]);
  const written = contentHash([`${folder}/dist`]);
  for (const name of ['src/a.test.ts', 'src/gen/a.ts', 'dist/gen/a.js']) write(name, 'x');
  expect(contentHash([folder])).toBe(before);
  expect(contentHash([`${folder}/dist`])).not.toBe(written);
});

it('hashes names without contents', () => {
  expect(nameHash(`${folder}/missing`)).toBe(nameHash(folder));
  write('a.ts', 'x');
  const before = nameHash(folder);
  write('a.ts', 'y');
  expect(nameHash(folder)).toBe(before);
  write('b.ts', 'y');
  expect(nameHash(folder)).not.toBe(before);
});
