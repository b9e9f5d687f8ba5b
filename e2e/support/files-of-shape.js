// A test file runs in the shapes in which what it tests can differ, and its first line names them: `// Shapes: local, processes`.
// `kafka` is for what depends on how events travel, `processes` for what depends on how services call each other. Shapes that
// only `npm run test:full` runs stand apart: `// Shapes: local; in full: processes`, or `none` for files that only it runs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHAPES } from '@drawbridge/testkit';

const FOLDER = join(import.meta.dirname, '..');
const HEAD = /^\/\/ Shapes: ([a-z, ]+)(?:; in full: ([a-z, ]+))?\n/;

/** `boundaries` is a unit test, `pages` need a browser, the others measure: each runs when ALONE names it, and nothing beside it. */
const APART = ['boundaries', 'endurance', 'neighbours', 'pages', 'soak'];

/** Lists the test files of a shape by name; `isFull` adds those of `npm run test:full`. Throws on a file whose first line names no shapes. */
export function filesOfShape(shape, { alone, isFull }) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'));
  const group = files.filter((name) => (alone ? isOf(alone, name) : !APART.some((apart) => isOf(apart, name))));
  return group.filter((name) => shapesOf(name, isFull).includes(shape));
}

/** `pages.test.ts`, `pages-branded.test.ts` */
const isOf = (group, name) => name === `${group}.test.ts` || name.startsWith(`${group}-`);

function shapesOf(name, isFull) {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  if (text.includes('\nexport ')) requireOwnTests(name, text);
  const [, always, full] = HEAD.exec(text) ?? [];
  const [shapes, more] = [always === 'none' ? [] : (always ?? '').split(', '), full?.split(', ') ?? []];
  const isKnown = [...shapes, ...more].every((shape) => SHAPES.includes(shape));
  if (!isKnown || shapes.length + more.length === 0) {
    throw new Error(`e2e/${name}: its first line must be "// Shapes: …", of ${SHAPES.join(', ')}`);
  }
  return isFull ? [...shapes, ...more] : shapes;
}

/** What other files import must not register its tests there. */
function requireOwnTests(name, text) {
  const [, taken = ''] = /^const \{ (.*) \} = testsOf\(import\.meta\);$/m.exec(text) ?? [];
  for (const [, global] of text.matchAll(/^ *((?:before|after)(?:Each|All)|describe|it)\b[.(]/gm)) {
    if (!taken.split(', ').includes(global)) throw new Error(`e2e/${name}: take ${global} from testsOf(import.meta)`);
  }
}
