import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runAction } from '@drawbridge/piece-kit';
import { loadPieces } from './load-pieces.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'drawbridge-pieces-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const pieceOf = (name: string): string => `({ piece, action, shortText }) => piece({
  name: '${name}', displayName: 'Echo', description: 'Says it again.', categories: ['CORE'],
  actions: { say: action({ displayName: 'Say', description: 'Says it.', category: 'read', props: { text: shortText('Text') },
    run: async ({ input }) => input }) } })`;

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

it('loads files and folders with the kit of this process', async () => {
  write({
    'one.mjs': `export default ${pieceOf('one')}`,
    'number-two/index.mjs': `export const numberTwo = ${pieceOf('number-two')}`,
    'number-two/logo.svg': '<svg/>',
    'README.md': 'nothing to run',
    'lib/shared.mjs': 'export const shared = 1',
    '.hidden.mjs': 'throw new Error()',
  });
  const found = await loadPieces(folder, ['github']);
  expect(Object.keys(found).sort()).toEqual(['number-two', 'one']);
  expect(found['number-two']?.logoUrl).toBe('data:image/svg+xml;base64,PHN2Zy8+');
  const send = () => Promise.reject(new Error('sends nothing'));
  expect(await runAction(found['one']!, 'say', { input: { text: 'x' }, send })).toEqual({ text: 'x' });
});

it.each([
  ["another piece's name", { 'one.mjs': `export default ${pieceOf('two')}` }, 'one.mjs: has the piece name two'],
  [
    'the name of a built-in piece',
    { 'github.mjs': `export default ${pieceOf('github')}` },
    'a built-in piece is already named github',
  ],
  [
    'a duplicate name',
    { 'one.mjs': `export default ${pieceOf('one')}`, 'one/index.mjs': `export default ${pieceOf('one')}` },
    'has the same name',
  ],
  ['a file without a matching export', { 'one.mjs': 'export const other = 1' }, 'one.mjs: is no piece'],
  [
    'an export that is not a piece',
    { 'one.mjs': 'export default { name: "one" }' },
    'one.mjs: displayName must be a text; ',
  ],
  ['code that fails', { 'one.mjs': 'throw new Error("no luck")' }, 'one.mjs: cannot be loaded: no luck'],
])('refuses %s', async (_what, files, problem) => {
  write(files);
  await expect(loadPieces(folder, ['github'])).rejects.toThrow(problem);
  await expect(loadPieces(folder, ['github'])).rejects.toThrow(`INTEGRATIONS_DIR: ${folder}`);
});
