// A test file runs in the shapes in which what it tests can differ, and says so in its first line: `// Shapes: local, processes`.
// `kafka` is for what depends on how events travel, `processes` for what depends on how services call each other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHAPES } from '@drawbridge/testkit';

const FOLDER = join(import.meta.dirname, '..');
const HEAD = /^\/\/ Shapes: ([a-z, ]+)\n/;

/** `boundaries` is a unit test. The others measure: each runs when ALONE names it, and nothing beside it. */
const APART = ['boundaries.test.ts', 'neighbours.test.ts', 'soak.test.ts'];

/** The test files of a shape, by name. Throws on a file whose first line does not name its shapes. */
export function filesOfShape(shape, alone = process.env.ALONE) {
  if (alone) return [`${alone}.test.ts`];
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts') && !APART.includes(name));
  return files.filter((name) => shapesOf(name).includes(shape));
}

function shapesOf(name) {
  const [, list = ''] = HEAD.exec(readFileSync(join(FOLDER, name), 'utf8')) ?? [];
  const shapes = list.split(', ');
  if (!shapes.every((shape) => SHAPES.includes(shape))) {
    throw new Error(`e2e/${name}: its first line must be "// Shapes: …", of ${SHAPES.join(', ')}`);
  }
  return shapes;
}
