import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { ADAPTER, connect } from './connection.js';
import { connectToShadow } from './databases.js';
import { loadWasm } from './load-wasm.js';

export interface EngineOptions {
  /** The database; the shadow database is made on its server. */
  url: string;
  /** Path and content of each schema file, where the command reads any. */
  datamodels: [path: string, content: string][] | undefined;
}

/** Runs `work` with an engine of its own, then closes every connection that it opened and drops its shadow database. */
export async function callEngine<Result>(
  { url, datamodels }: EngineOptions,
  work: (engine: SchemaEngine) => Promise<Result>,
): Promise<Result> {
  const opened: SqlDriverAdapter[] = [];
  const keep = async (connecting: Promise<SqlDriverAdapter>) => {
    const adapter = await connecting;
    opened.push(adapter);
    return adapter;
  };
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    ...ADAPTER,
    connect: () => keep(connect(url)),
    connectToShadowDb: () => keep(connectToShadow(url)),
  };

  const { SchemaEngine } = await loadWasm();
  try {
    return await work(await SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory)));
  } finally {
    for (const adapter of opened) await adapter.dispose();
  }
}
