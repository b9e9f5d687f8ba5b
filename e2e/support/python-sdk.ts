import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const { findPython, PREPARE_PYTHON } = await import(join(ROOT, 'scripts/prepare-python.mjs'));
const isRequired = (process.env['REQUIRE'] ?? '').split(',').includes('python');
const run = promisify(execFile);

/** The folder of the Python SDK. */
export const PACKAGE = join(ROOT, 'packages/sdk-python');
/** The folder with the commands of the prepared Python environment, or undefined if it is not prepared. */
export const BIN: string | undefined = findPython();
export const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');

/** Registers tests that need the Python environment. Skips them if it is not prepared, unless REQUIRE lists `python`. */
export function describePython(title: string, define: () => void): void {
  const describeThem = BIN || isRequired ? describe : describe.skip;
  describeThem(`${title} (to run it: ${PREPARE_PYTHON})`, () => {
    beforeAll(() => run(process.execPath, [join(PACKAGE, 'generate/built-in-catalog.mjs')]));
    define();
  });
}

/** Returns the environment of a program that uses the SDK with an instance. */
export function envOf({ baseUrl, key }: { baseUrl: string; key: string }): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    PYTHONPATH: join(PACKAGE, 'src'),
    PYTHONDONTWRITEBYTECODE: '1',
    DRAWBRIDGE_URL: baseUrl,
    DRAWBRIDGE_KEY: key,
  };
}

/** Returns the blocks of a language between a mark of the README and the next heading or mark. */
export function blocksOf(mark: string, language: string): string[] {
  const [, after = ''] = README.split(`<!-- ${mark}: a test runs `);
  const [section = ''] = after.split(/^## |^<!-- /m);
  return [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, its, text]) =>
    its === language ? [text!] : [],
  );
}
