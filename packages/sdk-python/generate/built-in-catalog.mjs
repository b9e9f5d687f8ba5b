// node generate/built-in-catalog.mjs: writes the schemas and the types of the built-in integrations. Git ignores these files, because they change with
// every integration: write them before a test or a build of the package.
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInSchemas } from '../../sdk-typescript/generate/write-schemas.mjs';

const PACKAGE = join(import.meta.dirname, '..');
const PYTHON = join(PACKAGE, '../../.cache/python/bin/python');
const WRITE = `import json, sys
from drawbridge._write_catalog import write_catalog
sys.stdout.reconfigure(encoding="utf-8")
sys.stdout.write(write_catalog(json.load(sys.stdin.buffer)))`;

/** Writes the schemas and the types. The Python environment of `scripts/prepare-python.mjs` must exist, because Python code writes the types. */
export function writeBuiltInCatalog() {
  const schemas = builtInSchemas();
  const env = { ...process.env, PYTHONPATH: join(PACKAGE, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  const module = execFileSync(PYTHON, ['-c', WRITE], { env, input: schemas, encoding: 'utf8', maxBuffer: 1e8 });
  write('built_in_schemas.json', schemas);
  write('built_in_catalog.py', module);
}

/** Replaces the file at once, because tests in other processes read it. */
function write(name, text) {
  const file = join(PACKAGE, 'src/drawbridge', name);
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, file);
}

if (process.argv[1] === import.meta.filename) writeBuiltInCatalog();
