// The table of variables in docs/operating.md is generated from VARIABLES of packages/cli. This script fails if they differ; `--write` updates the
// table. The page must also mention each database table, because it documents how long rows are stored. Build packages/cli first.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { readersOf, VARIABLES } from '../packages/cli/dist/variables.js';
import { SERVICE_TABLE, SERVICES } from '../packages/contracts/dist/index.js';
import { EVENT_TABLES, WORKSPACE_TABLES } from '../packages/events/dist/index.js';

const FILE = join(import.meta.dirname, '../docs/operating.md');
const TABLE = /(?<=<!-- variables -->\n)[^]*?(?=<!-- \/variables -->)/;

const text = readFileSync(FILE, 'utf8');
if (!TABLE.test(text)) fail('docs/operating.md has no place for its table: <!-- variables --> … <!-- /variables -->');
const wanted = await formatted(text.replace(TABLE, () => `\n${table()}\n\n`));

const untold = tables().filter((name) => !text.includes(`\`${name}\``));
if (untold.length > 0) fail(`docs/operating.md, "Data retention", does not contain ${untold.join(', ')}`);

if (process.argv.includes('--write')) writeFileSync(FILE, wanted);
else if (wanted !== text)
  fail('docs/operating.md differs from packages/cli/src/variables.ts: node scripts/check-operating.mjs --write');

/** Returns the name of each database table: `service.table` for tables of one service, or the name alone for tables that services share. */
function tables() {
  const services = join(import.meta.dirname, '../services');
  const own = SERVICES.filter((name) => SERVICE_TABLE[name].hasDatabase).flatMap((name) => {
    const schema = readFileSync(join(services, name, 'prisma/schema.prisma'), 'utf8');
    return [...schema.matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => `${name}.${table}`);
  });
  const shared = [...EVENT_TABLES, ...WORKSPACE_TABLES].flatMap(({ sql }) =>
    [...sql.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, table]) => table),
  );
  return [...own, ...shared];
}

function table() {
  const rows = Object.entries(VARIABLES).map(([name, { default: value, choices, desc }]) => {
    const meaning = choices ? `${desc} One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : desc;
    const cells = [`\`${name}\``, readers(name), value === '' ? '' : `\`${value}\``, meaning.replaceAll('|', '\\|')];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| variable | read by | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function readers(variable) {
  const names = readersOf(variable);
  return names.length === SERVICES.length ? 'all' : names.join(', ');
}

async function formatted(markdown) {
  return format(markdown, { ...(await resolveConfig(FILE)), filepath: FILE });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
