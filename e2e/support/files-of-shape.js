// A test file runs in the shapes in which what it tests can differ, and says so in its first line: `// Shapes: local, processes`.
// `kafka` is for what depends on how events travel, `processes` for what depends on how services call each other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHAPES } from '@drawbridge/testkit';

const FOLDER = join(import.meta.dirname, '..');
const HEAD = /^\/\/ Shapes: ([a-z, ]+)\n/;

/** `boundaries` is a unit test, `pages` need a browser, the others measure: each runs when ALONE names it, and nothing beside it. */
const APART = ['boundaries', 'endurance', 'neighbours', 'pages', 'soak'];

/** The test files of a shape, by name. Throws on a file whose first line does not name its shapes. */
export function filesOfShape(shape, alone = process.env.ALONE) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'));
  if (alone) return files.filter((name) => isOf(alone, name));
  const together = files.filter((name) => !APART.some((group) => isOf(group, name)));
  return together.filter((name) => shapesOf(name).includes(shape));
}

/** `pages.test.ts`, `pages-branded.test.ts` */
const isOf = (group, name) => name === `${group}.test.ts` || name.startsWith(`${group}-`);

function shapesOf(name) {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  if (text.includes('\nexport ')) requireOwnTests(name, text);
  const [, list = ''] = HEAD.exec(text) ?? [];
  const shapes = list.split(', ');
  if (!shapes.every((shape) => SHAPES.includes(shape))) {
    throw new Error(`e2e/${name}: its first line must be "// Shapes: …", of ${SHAPES.join(', ')}`);
  }
  return shapes;
}

/** What other files import must not register its tests there. */
function requireOwnTests(name, text) {
  const [, taken = ''] = /^const \{ (.*) \} = testsOf\(import\.meta\);$/m.exec(text) ?? [];
  for (const [, global] of text.matchAll(/^ *((?:before|after)(?:Each|All)|describe|it)\b[.(]/gm)) {
    if (!taken.split(', ').includes(global)) throw new Error(`e2e/${name}: take ${global} from testsOf(import.meta)`);
  }
}
