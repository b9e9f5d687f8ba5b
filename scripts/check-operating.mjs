// The table of variables in docs/operating.md is VARIABLES of packages/rpc, printed: this fails when they differ, and
// with --write makes them equal. Every table of the database must say there how long it keeps what. Build packages/rpc first.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { VARIABLES } from '../packages/rpc/dist/index.js';

const FILE = join(import.meta.dirname, '../docs/operating.md');
const TABLE = /(?<=<!-- variables -->\n)[^]*?(?=<!-- \/variables -->)/;

const text = readFileSync(FILE, 'utf8');
if (!TABLE.test(text)) fail('docs/operating.md has no place for its table: <!-- variables --> … <!-- /variables -->');
const wanted = await formatted(text.replace(TABLE, () => `\n${table()}\n\n`));

const untold = tables().filter((name) => !text.includes(`\`${name}\``));
if (untold.length > 0) fail(`docs/operating.md, "How long things are kept", does not name ${untold.join(', ')}`);

if (process.argv.includes('--write')) writeFileSync(FILE, wanted);
else if (wanted !== text)
  fail('docs/operating.md differs from packages/rpc/src/config.ts: node scripts/check-operating.mjs --write');

/** Every table of the product, with its schema. */
function tables() {
  const services = join(import.meta.dirname, '../services');
  return readdirSync(services).flatMap((service) => {
    const schema = join(services, service, 'prisma/schema.prisma');
    if (!existsSync(schema)) return [];
    return [...readFileSync(schema, 'utf8').matchAll(/@@map\("(\w+)"\)/g)].map(([, name]) => `${service}.${name}`);
  });
}

function table() {
  const rows = Object.entries(VARIABLES).map(([name, { default: value, choices, desc }]) => {
    const meaning = choices ? `${desc} One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : desc;
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${meaning.replaceAll('|', '\\|')} |`;
  });
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

async function formatted(markdown) {
  return format(markdown, { ...(await resolveConfig(FILE)), filepath: FILE });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
