import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** Parameters arrive as JSON of the CLI, which has the engine's own types. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Method = (engine: SchemaEngine, params: any) => Promise<unknown>;

/**
 * What the CLI may ask for: all that `migrate diff`, `deploy`, `status` and `resolve` need. `migrate dev` is not among it:
 * the WASM build loses its shadow database in the two methods that only `dev` uses; scripts/migrate.mjs takes its place.
 */
const METHODS: Record<string, Method> = {
  applyMigrations: (engine, params) => engine.applyMigrations(params),
  diagnoseMigrationHistory: (engine, params) => engine.diagnoseMigrationHistory(params),
  diff: (engine, params) => engine.diff(params),
  ensureConnectionValidity: (engine, params) => engine.ensureConnectionValidity(params),
  getDatabaseVersion: (engine) => engine.version(null),
  markMigrationApplied: (engine, params) => engine.markMigrationApplied(params),
  markMigrationRolledBack: (engine, params) => engine.markMigrationRolledBack(params),
};

/** Throws for a method that is not among them. */
export function findMethod(name: string): Method {
  const method = METHODS[name];
  if (!method) throw new Error(`${name} is not built in; for a new migration use: pnpm migrate <service> <title>`);
  return method;
}
