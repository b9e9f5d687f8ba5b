import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const CLI = createRequire(import.meta.url).resolve('prisma/build/index.js');

export interface PrismaResult {
  /** 0, or what the command says: `migrate diff --exit-code` ends with 2 when there is a difference. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs Prisma's own CLI in a service's folder, on the schema engine of this package and the database of `url`. */
export async function runPrisma(
  args: string[],
  { folder, url }: { folder: string; url: string },
): Promise<PrismaResult> {
  const env = {
    ...process.env,
    DATABASE_URL: url,
    PRISMA_SCHEMA_ENGINE_BINARY: join(import.meta.dirname, '../bin/schema-engine.js'),
    CHECKPOINT_DISABLE: '1', // asks no server for a newer version
  };
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}
