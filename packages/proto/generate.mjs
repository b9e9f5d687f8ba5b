// Generates src/gen from proto/, then spells out the two comment tags that stand for more than ts-proto knows:
// `@format uuid` brings its pattern (a format alone only documents), `@items T` types a ListValue.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

execFileSync(join(import.meta.dirname, 'node_modules/.bin/buf'), ['generate'], { cwd: root, stdio: 'inherit' });

const folder = join(import.meta.dirname, 'src/gen/drawbridge');
for (const name of readdirSync(folder, { recursive: true })) {
  if (!name.endsWith('.ts')) continue;
  const file = join(folder, name);
  writeFileSync(file, expand(readFileSync(file, 'utf8')));
}

function expand(source) {
  return source
    .replace(/^( *)\/\*\* (@.*) \*\/$/gm, '$1/**\n$1 * $2\n$1 */')
    .replace(/^( *\* )@format uuid$/gm, `$1@format uuid\n$1@pattern ${UUID}`)
    .replace(/(@items (\w+)\n[^;]*?)Array<any>/g, '$1$2[]');
}
