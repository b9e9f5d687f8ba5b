import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from '@swc/core';

const DOCS = join(import.meta.dirname, '../../docs');
const BLOCK = /^```(\w+)\n([^]*?)^```$/gm;
/** Matches the first line of a code block that is a file. The line contains the file name: `// receiver.ts`, `# receiver.py`. */
const FILE_NAME = /^(?:\/\/|#) (\w+\.(?:ts|py))\n/;
/**
 * Matches commands that tests do not run: those that start the product, set variables that the test sets, or install a package, and programs that are
 * not installed in the test environment. The tests in e2e/deploy run the commands of containers, and e2e/sdk-cli-triggers.test.ts those of the SDK's
 * program.
 */
const IS_FOR_READERS =
  /^(export BASE_URL|npm |npx drawbridge |pip |docker |GATEWAY_PORT=|SANDBOX_ENGINE=|printf .*POSTGRES_PASSWORD)/;

interface Block {
  language: string;
  text: string;
}

/** Returns a page of docs/. */
export function readGuide(name: string): string {
  return readFileSync(join(DOCS, `${name}.md`), 'utf8');
}

/** Returns the code blocks of a page, in order. */
export function blocksOf(name: string): Block[] {
  return [...readGuide(name).matchAll(BLOCK)].map(([, language, text]) => ({ language: language!, text: text! }));
}

/** Returns the commands of a page that a test runs. */
export function commandsOf(name: string): string[] {
  return blocksOf(name).flatMap(({ language, text }) =>
    language === 'sh' && !IS_FOR_READERS.test(text) ? [text] : [],
  );
}

/** Replacements of strings in the commands and files of a guide, such as the port of a receiver. */
export type Replacements = Readonly<Record<string, string>>;

/**
 * Runs the commands of a guide, after the helpers and the workspace of the first two steps of Getting started, in a folder with the files that the
 * guide shows. Returns the output. Throws if a command fails.
 */
export async function runGuide(name: string, env: NodeJS.ProcessEnv, replacements: Replacements = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  const replaced = (text: string): string =>
    Object.entries(replacements).reduce((all, [from, to]) => all.replaceAll(from, to), text);
  symlinkSync(join(DOCS, '../e2e/node_modules'), join(folder, 'node_modules'));
  for (const [file, text] of filesOf(name)) writeFileSync(join(folder, file), replaced(text));
  const commands = [...commandsOf('getting-started').slice(0, 2), 'set -x', ...commandsOf(name)].join('\n');
  try {
    return await runShell(replaced(commands).replaceAll(/(?<=node \w+)\.ts/g, '.mjs'), folder, env);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the files that a guide shows. Compiles TypeScript, because older versions of Node.js do not run it. */
export function filesOf(name: string): [file: string, text: string][] {
  return blocksOf(name).flatMap(({ text }) => {
    const [, file] = FILE_NAME.exec(text) ?? [];
    return file ? [[file.replace(/\.ts$/, '.mjs'), file.endsWith('.ts') ? toJavaScript(text) : text]] : [];
  });
}

function toJavaScript(text: string): string {
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' } as const;
  return transformSync(text, { swcrc: false, configFile: false, isModule: true, jsc }).code;
}

/** Runs commands in a shell. When they exit, stops the processes that they started in the background. */
function runShell(commands: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('sh', ['-ec', commands], { cwd, env, detached: true });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  child.on('exit', () => {
    try {
      process.kill(-child.pid!, 'SIGTERM');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`exit code ${code}:\n${output}\n${errors}`)),
    );
  });
}
