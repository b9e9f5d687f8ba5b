// Compiles the package twice: as ES modules, and as CommonJS for programs that call require(). Only the program `drawbridge` may use modules of Node.js.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const [esm, cjs] = [join(here, 'dist/esm'), join(here, 'dist/cjs')];
// This is the compiler of the other packages. openapi-typescript needs an older version in this package, which takes six times as long.
const TSC = join(here, '../piece-kit/node_modules/.bin/tsc');
const tsc = (config) => execFileSync(TSC, ['-p', config], { cwd: here, stdio: 'inherit' });

rmSync(join(here, 'dist'), { recursive: true, force: true });
tsc('tsconfig.json');

// Before the compilation of the program, which has no CommonJS form. The declarations are the same in both forms.
const entryPoints = readdirSync(esm, { recursive: true })
  .filter((name) => name.endsWith('.js'))
  .map((name) => join(esm, name));
await build({ entryPoints, outbase: esm, outdir: cjs, format: 'cjs', platform: 'node', target: 'es2022' });
cpSync(esm, cjs, { recursive: true, filter: (source) => !source.endsWith('.js') });
// The nearest package.json says how Node.js reads a `.js` file.
writeFileSync(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');

tsc('tsconfig.cli.json');
