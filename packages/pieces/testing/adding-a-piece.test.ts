import { readFileSync } from 'node:fs';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const excerpts = [...read('docs/adding-a-piece.md').matchAll(/```ts\n\/\/ (\S+)\n([^]*?)```/g)];

// An excerpt stands at another depth than in its file.
const flat = (code: string) => code.replace(/\s+/g, ' ');

it.each(excerpts.map(([, file = '', code = '']) => [file, code]))('quotes %s as it is', (file, code) => {
  expect(flat(read(file))).toContain(flat(code));
});

it('quotes every part of the example', () => {
  expect(excerpts).toHaveLength(5);
});
