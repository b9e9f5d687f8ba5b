import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg';
import { ADAPTER, connect, connectToShadow } from './connection.js';

/**
 * Runs `work` with the WASM build of Prisma's schema engine on the database of `url`. Migrations are replayed in a separate empty database. Closes
 * every connection and drops that database before it returns. Throws the engine's error for an invalid schema or migration.
 */
export async function withSchemaEngine<Result>(
  url: string,
  work: (engine: wasm.SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const opened: SqlDriverAdapter[] = [];
  const keep = async (connecting: Promise<SqlDriverAdapter>): Promise<SqlDriverAdapter> => {
    const adapter = await connecting;
    opened.push(adapter);
    return adapter;
  };
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    ...ADAPTER,
    connect: () => keep(connect(url)),
    connectToShadowDb: () => keep(connectToShadow(url)),
  };
  const { SchemaEngine } = await load();
  const adapters = bindMigrationAwareSqlAdapterFactory(factory);
  try {
    return await work(await SchemaEngine.new({ datamodels: undefined }, () => {}, adapters));
  } finally {
    for (const adapter of opened) await adapter.dispose();
  }
}

let loading: Promise<typeof wasm> | undefined;

/** The entry of the package imports a .wasm file, which Node.js does not support. */
function load(): Promise<typeof wasm> {
  return (loading ??= instantiate());
}

async function instantiate(): Promise<typeof wasm> {
  // The generated code reports a panic to this global.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => process.stderr.write(`${text}\n`) },
  });
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const module = await WebAssembly.compile(readFileSync(join(folder, 'schema_engine_bg.wasm')));
  const { exports } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': { ...wasm } });
  wasm.__wbg_set_wasm(exports);
  const start = exports['__wbindgen_start'];
  if (typeof start !== 'function') throw new Error('@prisma/schema-engine-wasm has no __wbindgen_start: pin 7.10.0');
  start();
  return wasm;
}
