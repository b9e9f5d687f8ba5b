import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { execute } from './databases.js';
import { serve } from './serve.js';

const text = { type: 'string' } as const;

/** What the CLI passes; the last two name nothing that this engine needs. */
const OPTIONS = {
  datasource: text,
  datamodels: { ...text, multiple: true },
  version: { type: 'boolean' },
  'enabled-preview-features': text,
  'extension-types': text,
} as const;

/**
 * Takes the place of Prisma's native schema engine: same arguments, same protocol. Returns the exit code.
 * The CLI downloads the native one from a host that not every machine may reach; this one comes with the packages.
 */
export async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  if (values.version) {
    process.stdout.write('schema-engine-wasm\n');
    return 0;
  }
  const { url = '' }: { url?: string } = JSON.parse(values.datasource ?? '{}');
  if (positionals[0] === 'cli') return checkDatabase(positionals[1], url);

  const datamodels = values.datamodels?.map((path): [string, string] => [path, readFileSync(path, 'utf8')]);
  await serve({ url, datamodels }, process.stdin, process.stdout);
  return 0;
}

/** The one question that the CLI asks by arguments. It reads the second line of standard error. */
async function checkDatabase(command: string | undefined, url: string): Promise<number> {
  try {
    if (command !== 'can-connect-to-database') throw new Error(`${command}: make or drop the database with SQL`);
    await execute(url, 'SELECT 1');
    return 0;
  } catch (error) {
    const fields = { message: messageOf(error), error_code: isMissing(error) ? 'P1003' : 'P1001' };
    process.stderr.write(`{}\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}\n`);
    return 1;
  }
}

/** invalid_catalog_name: the server is there, the database is not. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '3D000';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
