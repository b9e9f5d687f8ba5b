import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
let folder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drawbridge-language-'));
  await run('git', ['init', '--quiet'], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the problems of one file without their location. */
async function problemsOf(name, text) {
  await writeFile(join(folder, name), text);
  await run('git', ['add', '--all'], { cwd: folder });
  const checked = run(process.execPath, [join(import.meta.dirname, 'check-language.mjs'), folder]);
  return checked.then(
    () => [],
    ({ stderr }) => stderr.trim().split('\n'),
  );
}

it.each([
  ['a comment', 'a.ts', '// It is for nobody.\n', 'a.ts:1 "nobody"'],
  ['a comment behind code', 'a.ts', 'f(); // begins anew\n', 'a.ts:1 "anew"'],
  ['a later line of a comment', 'a.ts', '/**\n * It can not\n */\n', 'a.ts:2 "can not"'],
  ['a text', 'a.ts', "it('tells Somebody', f);\n", 'a.ts:1 "Somebody"'],
  ['prose', 'a.md', 'The user is told.\n', 'a.md:1 "is told"'],
  ['a declaration', 'a.proto', '// The user on whose behalf it runs.\n', 'a.proto:1 "whose"'],
  ['a schema', 'a.prisma', '/// Of the user.\n', 'a.prisma:1 begins with a clause'],
  ['the name of a test', 'a.ts', "it('answers who asks', f);\n", 'a.ts:1 "who asks"'],
  ['the beginning of a comment', 'a.ts', '/** What it is. */\n', 'a.ts:1 begins with a clause'],
])('finds a word in %s', async (_, name, text, problem) => {
  expect(await problemsOf(name, text)).toEqual([expect.stringContaining(problem)]);
  await rm(join(folder, name));
});

it.each([
  ['an identifier', 'a.ts', 'f(nobody, NOBODY);\n'],
  ['one word that is quoted', 'a.ts', "f('nobody');\n"],
  ['a relative pronoun in prose', 'a.md', 'A user whose role changed.\n'],
  ['code in prose', 'a.md', 'The user `nobody`.\n'],
  ['a line with a reason', 'a.ts', '// The user nobody. language: its name\n'],
  ['the second line of a comment', 'a.ts', '// It is the part\n// That follows.\n'],
])('accepts %s', async (_, name, text) => {
  expect(await problemsOf(name, text)).toEqual([]);
  await rm(join(folder, name));
});
