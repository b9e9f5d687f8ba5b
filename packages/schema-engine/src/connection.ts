import { DriverAdapterError, type SqlDriverAdapter, type SqlQuery } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { columnType } from './column-types.js';

/** What the engine asks of an adapter and of whoever makes one. */
export const ADAPTER = { provider: 'postgres', adapterName: '@drawbridge/schema-engine' } as const;

const TIMESTAMPTZ = 1184;

/**
 * One connection as the engine drives it: it holds an advisory lock, so a pool would not do. A script is one simple query,
 * as in the native engine: whoever splits it at every `;` breaks function bodies.
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
        columnTypes: fields.map((field) => columnType(field.dataTypeID)),
        rows,
      };
    },
    executeRaw: async (query) => (await run(client, query)).rowCount ?? 0,
    executeScript: async (script) => void (await translated(client.query(script))),
    startTransaction: () => Promise.reject(new Error('The schema engine is not known to use transactions')),
    getConnectionInfo: () => ({ schemaName: schema, supportsRelationJoins: true }),
    dispose: () => (disposed ??= client.end().then(dispose)),
  };
}

function run(client: pg.Client, { sql, args }: SqlQuery): Promise<pg.QueryArrayResult<unknown[]>> {
  return translated(client.query<unknown[]>({ text: sql, values: args, rowMode: 'array', types: { getTypeParser } }));
}

/** The engine wants a time as text. */
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
  if (!(error instanceof pg.DatabaseError)) return { ...UNKNOWN, message: String(error) };
  const { message, code = UNKNOWN.code, severity = UNKNOWN.severity, detail, column, hint } = error;
  if (code === UNDEFINED_TABLE) return { kind: 'TableDoesNotExist', table: /"(.+)"/.exec(message)?.[1] };
  return { kind: 'postgres', code, severity, message, detail, column, hint };
}

const UNKNOWN = {
  kind: 'postgres',
  code: 'N/A',
  severity: 'N/A',
  detail: undefined,
  column: undefined,
  hint: undefined,
} as const;
