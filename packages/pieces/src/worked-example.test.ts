import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPiece, type JsonValue, type Piece } from '@drawbridge/piece-kit';
import { json, optionsOf, runPiece, type Setting } from '../testing/run-piece.js';
import { startThirdParty, type Recorded, type Reply } from '../testing/third-party.js';
import { loadPieces } from './load-pieces.js';

// Runs the example in docs/adding-a-piece.md unchanged, because readers copy it.
const PAGE = new URL('../../../docs/adding-a-piece.md', import.meta.url);
const EXAMPLE = /```js\n\/\/ acme\.mjs\n([^]*?)```/;
const credential = { type: 'SECRET_TEXT', secretText: 'of-acme' } as const;

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-worked-example-'));
let acme: Piece;

beforeAll(async () => {
  const [, code = ''] = EXAMPLE.exec(readFileSync(PAGE, 'utf8')) ?? [];
  writeFileSync(join(folder, 'acme.mjs'), code);
  acme = (await loadPieces(folder, []))['acme']!;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the files in the first block, and the paths in `code` that begin at the root of the repository. */
const pathsIn = (page: string): string[] => {
  const [, folder = '', tree = ''] = /```\n(packages\/\S+\/)\n([^]*?)```/.exec(page) ?? [];
  const listed = [...tree.matchAll(/^ {2}(\S+)/gm)].map(([, file = '']) => folder + file);
  const quoted = [...page.matchAll(/`((?:packages|scripts|services|docs)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  return [...listed, ...quoted];
};

const setting = (reply: Setting['reply']): Setting => ({ piece: acme, credential, reply });
const thing = (name: string, number: number) => ({ name, title: `Thing ${name}`, number });

/** Readers enter these lines. Programs that `pnpm exec` runs are not scripts of package.json. */
it('names scripts of package.json, and files, that exist', () => {
  const page = readFileSync(PAGE, 'utf8');
  const root = new URL('../../../', import.meta.url);
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: object };
  const lines = [...page.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  const called = lines.flatMap((line) => /^pnpm (?!exec |install)([\w-]+)/.exec(line)?.[1] ?? []);
  expect(called).toContain('new-piece');
  expect(called.filter((name) => !(name in scripts))).toEqual([]);
  const named = lines.flatMap((line) => /^node (\S+\.mjs)/.exec(line)?.[1] ?? []);
  expect(named).toEqual(['cut-description.mjs']);
  const files = [...named.map((file) => `packages/pieces/${file}`), ...pathsIn(page)];
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
});

it('reads a thing with the credential', async () => {
  const { output, asked, received } = await runPiece(
    setting(() => json(thing('a', 1))),
    'get_thing',
    { name: 'a' },
  );
  expect(output).toEqual(thing('a', 1));
  expect(asked).toEqual(['GET /things/a']);
  expect(received[0]?.headers.authorization).toBe('Bearer of-acme');
});

it('offers the things of all pages as options', async () => {
  const link = '<https://api.acme.example/things?page=2>; rel="next"';
  const reply = ({ url }: Recorded): Reply =>
    url.includes('page=2') ? json([thing('b', 2)]) : json([thing('a', 1)], 200, { link });
  const { output } = await optionsOf(setting(reply), ['get_thing', 'name']);
  expect(output.options).toEqual([
    { label: 'Thing a', value: 'a' },
    { label: 'Thing b', value: 'b' },
  ]);
});

it('delivers each new thing once', async () => {
  const made = [thing('a', 1)];
  const { send, close } = await startThirdParty(({ url }) => {
    const after = new URL(url, 'https://api.acme.example').searchParams.get('after');
    return json(after === 'newest' ? made.slice(-1) : made.filter(({ number }) => number > Number(after)));
  });
  const { new_thing: trigger } = acme.triggers ?? {};
  if (trigger?.kind !== 'polling') throw new Error('new_thing is no polling trigger');
  const poll = (cursor?: JsonValue) =>
    trigger.poll({
      http: openPiece(acme, { send }),
      input: {},
      auth: undefined,
      signal: undefined,
      cursor,
    });
  const first = await poll();
  made.push(thing('b', 2));
  const second = await poll(first.cursor);
  const third = await poll(second.cursor);
  await close();
  expect([first, second, third].map(({ events }) => events.map(({ id }) => id))).toEqual([[], ['b'], []]);
});
