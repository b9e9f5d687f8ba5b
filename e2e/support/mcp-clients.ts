import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error a script of this repository, without types
import { FETCH_MCP_CLIENTS, findMcpClients } from '../../scripts/prepare-mcp-clients.mjs';

/** Paths of the downloaded third-party MCP clients. */
export interface McpClients {
  /** The path of a Node.js version that is new enough for all clients. */
  node: string;
  python: string;
  /** The path of Claude Code. */
  claude: string;
  /** Returns the path of a command's script. */
  bin(name: string): string;
}

/** The output of a finished command. */
export interface Ended {
  code: number;
  stdout: string;
  /** All output, for the analysis of failures. */
  output: string;
}

const LIMIT_MS = 120_000;

/** Settings that let the inspector open a browser, which does nothing in the tests, and store its secrets in a file, because there is no keychain. */
const INSPECTOR = { MCP_AUTO_OPEN_ENABLED: 'true', BROWSER: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };

/** Registers the tests. Skips them if the clients are not downloaded, or fails if REQUIRE lists `mcp-clients`. */
export function describeMcpClients(title: string, body: (clients: McpClients) => void): void {
  const found = findMcpClients() as McpClients | undefined;
  const isRequired = (process.env['REQUIRE'] ?? '').split(',').includes('mcp-clients');
  if (found) return describe(title, () => body(found));
  if (!isRequired)
    return describe.skip(`${title} (to run it: ${FETCH_MCP_CLIENTS})`, () => it('is skipped', () => undefined));
  it(title, () => {
    throw new Error(`The MCP clients are not downloaded. Run: ${FETCH_MCP_CLIENTS}`);
  });
}

/** The folder in which a client runs and stores its state. */
export interface Place {
  home: string;
  /** Receives the client's standard error as it is written. `answer` sends an empty line to the client. */
  hear?(text: string, answer?: () => void): void;
}

/** Runs a command until it exits. Its home is a separate folder, because all clients store state. */
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
