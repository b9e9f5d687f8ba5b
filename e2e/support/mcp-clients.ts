import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error a script of the repository's own, without types
import { FETCH_MCP_CLIENTS, findMcpClients } from '../../scripts/prepare-mcp-clients.mjs';

/** What others wrote to speak MCP with. */
export interface McpClients {
  /** New enough for all of them. */
  node: string;
  python: string;
  /** The script of a command. */
  bin(name: string): string;
}

/** What a command that has ended wrote. */
export interface Ended {
  code: number;
  stdout: string;
  /** All of it, for whoever must find out what was wrong. */
  output: string;
}

const LIMIT_MS = 120_000;

/** It may lead its person to an address as if somebody sat here, which no browser opens, and keeps what it got where there is no keychain. */
const INSPECTOR = { MCP_AUTO_OPEN_ENABLED: 'true', BROWSER: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };

/** Skipped by name where they were not fetched, unless REQUIRE says that they must be there. */
export function describeMcpClients(title: string, body: (clients: McpClients) => void): void {
  const found = findMcpClients() as McpClients | undefined;
  const isRequired = (process.env['REQUIRE'] ?? '').split(',').includes('mcp-clients');
  if (found) return describe(title, () => body(found));
  if (!isRequired)
    return describe.skip(`${title} (to run it: ${FETCH_MCP_CLIENTS})`, () => it('is skipped', () => undefined));
  it(title, () => {
    throw new Error(`They are not there: ${FETCH_MCP_CLIENTS}`);
  });
}

/** Where a client runs: it may keep what it likes in that folder, and nowhere else. */
export interface Place {
  home: string;
  /** Is given what the client writes to standard error, as it comes, and may answer a line. */
  hear?(text: string, answer?: () => void): void;
}

/** Runs a command to its end, in a folder that is its home: they all like to keep something. */
export async function runClient(command: string, args: readonly string[], place?: Place): Promise<Ended> {
  const home = place?.home ?? mkdtempSync(join(tmpdir(), 'drawbridge-mcp-'));
  const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1', PYTHONDONTWRITEBYTECODE: '1', ...INSPECTOR };
  try {
    return await new Promise((resolve) => {
      const options = { cwd: home, env, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(command, args, options, (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, stdout, output: `${stdout}\n${stderr}` });
      });
      child.stderr?.on('data', (chunk) => place?.hear?.(String(chunk), () => child.stdin?.write('\n')));
    });
  } finally {
    if (!place) rmSync(home, { recursive: true, force: true });
  }
}
