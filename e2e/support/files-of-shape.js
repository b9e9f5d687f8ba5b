// A shape is a layout of the product's processes. The first line of a test file lists the shapes in which the file runs, because its results can
// differ between them: `// Shapes: local, processes`. `kafka` is for tests that depend on event transport, `processes` for tests that depend on calls
// between services. Shapes that only `npm run test:full` runs follow a semicolon: `// Shapes: local; in full: processes`. A file that only the full
// run includes has `none` before the semicolon.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHAPES } from '@drawbridge/testkit';

const FOLDER = join(import.meta.dirname, '..');
const HEAD = /^\/\/ Shapes: ([a-z, ]+)(?:; in full: ([a-z, ]+))?\n/;

/**
 * Groups of files that run separately, when ALONE contains their name: `boundaries` is a unit test, `pages` needs a browser, `advanced-code` starts
 * containers, and the others measure.
 */
const APART = ['advanced-code', 'boundaries', 'endurance', 'neighbours', 'pages', 'soak'];

/** Returns the test files of a shape. `isFull` adds the files of `npm run test:full`. Throws if the first line of a file lists no shapes. */
export function filesOfShape(shape, { alone, isFull }) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'));
  const group = files.filter((name) => (alone ? isOf(alone, name) : !APART.some((apart) => isOf(apart, name))));
  return group.filter((name) => shapesOf(name, isFull).includes(shape));
}

/** Returns whether a file belongs to a group: `pages.test.ts` and `pages-branded.test.ts` belong to `pages`. */
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

/** Throws if a file uses jest's global functions. Its tests would then also be registered in files that import it. */
function requireOwnTests(name, text) {
  const [, taken = ''] = /^const \{ (.*) \} = testsOf\(import\.meta\);$/m.exec(text) ?? [];
  for (const [, global] of text.matchAll(/^ *((?:before|after)(?:Each|All)|describe|it)\b[.(]/gm)) {
    if (!taken.split(', ').includes(global)) throw new Error(`e2e/${name}: take ${global} from testsOf(import.meta)`);
  }
}
