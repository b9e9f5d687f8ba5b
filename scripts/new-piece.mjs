// Runs `pnpm new-piece NAME`: copies packages/pieces/template/acme, a complete piece with OAuth, a dropdown, a polled trigger and a webhook, to a
// piece with that name. The copy passes its tests and the conformance suite. Replace its requests with those of the provider.
//   NAME    lowercase words with hyphens, such as google-tasks
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PIECES = join(import.meta.dirname, '../packages/pieces');
const TEMPLATE = join(PIECES, 'template/acme');

const [name = '', folder = join(PIECES, 'src')] = process.argv.slice(2);
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
  end(`Usage: pnpm new-piece NAME. NAME must be like google-tasks (got "${name}")`);
const target = join(folder, name);
if (existsSync(target)) end(`${target} exists`);

const words = name.split('-');
const camelCase = words[0] + words.slice(1).map(capital).join('');
const displayName = words.map(capital).join(' ');

for (const file of readdirSync(TEMPLATE, { recursive: true })) {
  if (statSync(join(TEMPLATE, file)).isDirectory()) continue;
  const copy = join(target, file.replace('acme', name));
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, renamed(readFileSync(join(TEMPLATE, file), 'utf8')));
}

console.log(`${target}
Next:
  pnpm build                                               adds it to the registry
  pnpm unit packages/pieces                                its tests and the conformance suite
  pnpm pieces --write                                      adds it to docs/pieces.md
  pnpm format                                              after each change
  pnpm check                                               before pushing
  docs/adding-a-piece.md                                   how each part works`);

function renamed(text) {
  return text
    .replace(/'acme'/g, `'${name}'`)
    .replace(/'acme-/g, `'${name}-`)
    .replace(/acme(?=\.example|_canary|\/1\b)/g, name)
    .replace(/\bacme\b/g, camelCase)
    .replace(/Acme/g, displayName);
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}

function end(message) {
  console.error(message);
  process.exit(1);
}
