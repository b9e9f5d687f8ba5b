// Checks that no files import each other in a circle. Imports between packages are the subject of e2e/boundaries.test.ts. Imports of types alone do not
// count, because they do not exist at run time.
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { ROOT } from './step.mjs';

const SOURCES = ['*.ts', '*.tsx', '*.mjs', '*.js'];

const listed = execFileSync('git', ['ls-files', '--', ...SOURCES], { cwd: ROOT, encoding: 'utf8' });
const names = listed.split('\n').filter((name) => name !== '' && !name.endsWith('.d.ts'));
const contents = names.map((name) => `import ${JSON.stringify(`./${name}`)};`).join('\n');
const { metafile } = await build({
  absWorkingDir: ROOT,
  stdin: { contents, resolveDir: ROOT },
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  jsx: 'automatic',
  // Unlike the configuration of the packages, this one drops imports of types.
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
  logLevel: 'silent', // the error of a failed build lists the messages
  metafile: true,
  write: false,
});
const isSource = ({ path, external }) => !external && !path.includes('/dist/');
const importsOf = ({ imports }) => imports.filter(isSource).map(({ path }) => path);
const graph = new Map(Object.entries(metafile.inputs).map(([name, input]) => [name, importsOf(input)]));

const circle = findCircle(graph);
if (circle) {
  console.error(
    `These files import each other in a circle: ${circle.join(' → ')}. Move what they share into a file of its own.`,
  );
  process.exitCode = 1;
} else console.log(`${graph.size} files`);

/** Returns the names of a circle, the first name again at the end, or undefined. */
function findCircle(imports) {
  const finished = new Set();
  const path = [];
  const visit = (name) => {
    if (finished.has(name)) return undefined;
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    path.push(name);
    for (const next of imports.get(name) ?? []) {
      const found = visit(next);
      if (found) return found;
    }
    path.pop();
    finished.add(name);
    return undefined;
  };
  for (const name of imports.keys()) {
    const found = visit(name);
    if (found) return found;
  }
  return undefined;
}
