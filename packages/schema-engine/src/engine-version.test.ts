import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const here = createRequire(import.meta.url);
const prisma = createRequire(here.resolve('prisma/package.json'));
const engines = createRequire(prisma.resolve('@prisma/engines/package.json'));

it('is the engine that this version of Prisma was released with', () => {
  const folder = dirname(here.resolve('@prisma/schema-engine-wasm'));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(version).toBe(engines('@prisma/engines-version/package.json').version);
});
