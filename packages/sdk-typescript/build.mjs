// Compiles the package twice: as ES modules, and as CommonJS for programs that call require(). Only the program `drawbridge` may use modules of Node.js.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const tsc = (config) =>
  execFileSync(join(here, 'node_modules/.bin/tsc'), ['-p', config], { cwd: here, stdio: 'inherit' });

rmSync(join(here, 'dist'), { recursive: true, force: true });
tsc('tsconfig.json');
tsc('tsconfig.cli.json');
tsc('tsconfig.cjs.json');
// The nearest package.json says how Node.js reads a `.js` file.
writeFileSync(join(here, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
