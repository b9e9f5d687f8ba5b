// node generate/generate.mjs [--check]: writes the generated files of the package from the OpenAPI document of the gateway. The models need
// datamodel-code-generator, which `scripts/prepare-python.mjs` installs. With --check it fails if a file differs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationsOf, readDocument } from '../../sdk-typescript/generate/document.mjs';
import { requireCompatible } from '../../sdk-typescript/generate/surface.mjs';
import { methodsOf } from '../../sdk-typescript/generate/write-resources.mjs';
import { writeBuiltInCatalog } from './built-in-catalog.mjs';
import { namedSchemas } from './named-schemas.mjs';
import { writeErrors } from './write-errors.mjs';
import { writeResources } from './write-resources.mjs';
import { writeTable } from './write-table.mjs';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGE = join(import.meta.dirname, '..');
const BIN = join(ROOT, '.cache/python/bin');
const OPTIONS = [
  ...['--input-file-type', 'openapi', '--openapi-scopes', 'schemas'],
  ...['--output-model-type', 'pydantic_v2.BaseModel', '--base-class', 'drawbridge._model.Model'],
  ...[
    '--target-python-version',
    '3.10',
    '--enum-field-as-literal',
    'all',
    '--custom-file-header',
    '# Generated from the OpenAPI document.',
  ],
  ...['--snake-case-field', '--use-standard-collections', '--use-union-operator', '--use-schema-description'],
  ...['--use-field-description', '--disable-timestamp', '--formatters', 'black'],
];

const document = readDocument();
requireCompatible(document);
const operations = operationsOf(document);
const methods = methodsOf(operations, document);
const { schemas, replyOf } = namedSchemas(document, methods);

const written = {
  'src/drawbridge/_resources.py': writeResources({ methods, schemas, replyOf }),
  'src/drawbridge/_codes.py': writeErrors(readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')),
  'src/drawbridge/models.py': writeModels(),
  'OPERATIONS.md': writeTable({ methods, schemas }),
};
const files = Object.fromEntries(
  Object.entries(written).map(([file, text]) => [file, file.endsWith('.py') ? formatted(text) : text]),
);
const stale = Object.entries(files).filter(([file, text]) => readOrEmpty(join(PACKAGE, file)) !== text);
if (process.argv.includes('--check')) {
  for (const [file] of stale)
    console.error(
      `packages/sdk-python/${file} is not that of the OpenAPI document. Run: node packages/sdk-python/generate/generate.mjs`,
    );
  process.exitCode = stale.length > 0 ? 1 : 0;
} else for (const [file, text] of stale) writeFileSync(join(PACKAGE, file), text);
writeBuiltInCatalog();

/** Returns the models. A literal of several values accepts any text: a newer server may send a value that this version does not know. */
function writeModels() {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-models-'));
  try {
    const input = join(folder, 'openapi.json');
    const output = join(folder, 'models.py');
    writeFileSync(input, JSON.stringify({ openapi: '3.1.0', info: document.info, paths: {}, components: { schemas } }));
    execFileSync(join(BIN, 'datamodel-codegen'), ['--input', input, '--output', output, ...OPTIONS], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return readFileSync(output, 'utf8').replaceAll(/\bLiteral\[[^\]]*,[^\]]*\]/g, '$& | str');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Formats Python code as `ruff format` does for the package. */
function formatted(text) {
  return execFileSync(join(BIN, 'ruff'), ['format', '--stdin-filename', join(PACKAGE, 'src/drawbridge/_.py'), '-'], {
    input: text,
    encoding: 'utf8',
  });
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
