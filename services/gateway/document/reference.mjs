// Writes reference/: the files of the API reference that browsers load, compressed. A running gateway serves these copies, so it does not need the
// npm package, which is large and contains much that is not served.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const source = join(dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')), 'browser');
const target = join(import.meta.dirname, '../reference');

rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, 'chunks'), { recursive: true });
const chunks = readdirSync(join(source, 'chunks')).filter((name) => name.endsWith('.js'));
for (const file of ['standalone.esm.js', ...chunks.map((name) => `chunks/${name}`)])
  writeFileSync(join(target, `${file}.gz`), gzipSync(readFileSync(join(source, file)), { level: 9 }));
writeFileSync(join(target, 'NOTICE'), '@scalar/api-reference: MIT License, Copyright (c) 2023-present Scalar\n');
