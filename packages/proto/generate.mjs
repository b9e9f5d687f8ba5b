// Generates src/gen from proto/, with the comment tags spelled out that stand for more than ts-proto knows: tags.mjs.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spellOut, UUID_TYPE } from './tags.mjs';

const root = join(import.meta.dirname, '../..');
execFileSync(join(import.meta.dirname, 'node_modules/.bin/buf'), ['generate'], { cwd: root, stdio: 'inherit' });

const generated = join(import.meta.dirname, 'src/gen');
const files = readdirSync(join(generated, 'drawbridge'), { recursive: true }).filter((name) => name.endsWith('.ts'));
const paths = files.map((name) => join(generated, 'drawbridge', name));
const sources = spellOut(paths.map((path) => readFileSync(path, 'utf8')));
paths.forEach((path, index) => writeFileSync(path, sources[index]));
writeFileSync(join(generated, 'uuid.ts'), UUID_TYPE);
