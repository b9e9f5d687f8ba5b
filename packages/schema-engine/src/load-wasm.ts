import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

const GLUE = './schema_engine_bg.js';

let loaded: Promise<typeof engine> | undefined;

/** The WASM build of Prisma's schema engine. Its own entry imports a .wasm file, which Node.js does not do. */
export function loadWasm(): Promise<typeof engine> {
  return (loaded ??= load());
}

async function load(): Promise<typeof engine> {
  // The generated glue reports a panic to this global.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => process.stderr.write(`${text}\n`) },
  });
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const module = await WebAssembly.compile(readFileSync(join(folder, 'schema_engine_bg.wasm')));
  const { exports } = await WebAssembly.instantiate(module, { [GLUE]: { ...engine } });

  engine.__wbg_set_wasm(exports);
  const start = exports['__wbindgen_start'];
  if (typeof start !== 'function') throw new Error('@prisma/schema-engine-wasm has another shape than expected');
  start();
  return engine;
}
