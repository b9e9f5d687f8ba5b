import { randomUUID } from 'node:crypto';
import {
  type ColumnType,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';

/** The properties that the engine requires of an adapter and its factory. */
export const ADAPTER = { provider: 'postgres', adapterName: '@drawbridge/schema-engine' } as const;

const TIMESTAMPTZ = 1184;

/** The types, by their ids, that PostgreSQL's catalog and the table of migrations use in addition to strings. */
const COLUMN_TYPES: Record<number, ColumnType> = {
  16: ColumnTypeEnum.Boolean,
  18: ColumnTypeEnum.Character, // "char", one byte, which @prisma/adapter-pg rejects
  20: ColumnTypeEnum.Int64,
  21: ColumnTypeEnum.Int32,
  23: ColumnTypeEnum.Int32,
  26: ColumnTypeEnum.Int64, // oid
  1009: ColumnTypeEnum.TextArray,
  [TIMESTAMPTZ]: ColumnTypeEnum.DateTime,
};

/**
 * Opens one connection. A pool cannot be used, because the advisory lock of the engine belongs to the connection. A script is one simple query, as in
 * the native engine. @prisma/adapter-pg would split scripts at each `;`, which breaks function bodies.
 */
export async function connect(url: string, dispose: () => Promise<void> = async () => {}): Promise<SqlDriverAdapter> {
  const schema = new URL(url).searchParams.get('schema') ?? 'public';
  const client = new pg.Client({ connectionString: url, options: `-c timezone=UTC -c search_path=${schema}` });
  await translated(client.connect());
  let disposed: Promise<void> | undefined;
  return {
    ...ADAPTER,
    queryRaw: async (query) => {
      const { fields, rows } = await run(client, query);
      return {
        columnNames: fields.map((field) => field.name),
        columnTypes: fields.map((field) => COLUMN_TYPES[field.dataTypeID] ?? ColumnTypeEnum.Text),
        rows,
      };
    },
    executeRaw: async (query) => (await run(client, query)).rowCount ?? 0,
    executeScript: async (script) => void (await translated(client.query(script))),
    startTransaction: () => Promise.reject(new Error('Transactions of the schema engine are not supported')),
    getConnectionInfo: () => ({ schemaName: schema, supportsRelationJoins: true }),
    dispose: () => (disposed ??= client.end().then(dispose)),
  };
}

/** Creates an empty database on the server of `url` and connects to it. The database is dropped when the connection is disposed. */
export async function connectToShadow(url: string): Promise<SqlDriverAdapter> {
  const name = `prisma_migrate_shadow_db_${randomUUID()}`;
  await execute(url, `CREATE DATABASE "${name}"`);
  const shadow = new URL(url);
  shadow.pathname = `/${name}`;
  shadow.searchParams.delete('schema');
  return connect(shadow.href, () => execute(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

function run(client: pg.Client, { sql, args }: SqlQuery): Promise<pg.QueryArrayResult<unknown[]>> {
  return translated(client.query<unknown[]>({ text: sql, values: args, rowMode: 'array', types: { getTypeParser } }));
}

/** The engine expects times as ISO 8601 strings. */
const getTypeParser: typeof pg.types.getTypeParser = (typeId: number, format?: 'text' | 'binary') =>
  typeId === TIMESTAMPTZ ? (text: string) => `${text.replace(' ', 'T')}:00` : pg.types.getTypeParser(typeId, format);

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new DriverAdapterError(toCause(error));
  }
}

const UNDEFINED_TABLE = '42P01';

function toCause(error: unknown): DriverAdapterError['cause'] {
  const known: Partial<pg.DatabaseError> = error instanceof pg.DatabaseError ? error : {};
  const { message = String(error), code = 'N/A', severity = 'N/A', detail, column, hint } = known;
  if (code === UNDEFINED_TABLE) return { kind: 'TableDoesNotExist', table: /"(.+)"/.exec(message)?.[1] };
  return { kind: 'postgres', code, severity, message, detail, column, hint };
}
