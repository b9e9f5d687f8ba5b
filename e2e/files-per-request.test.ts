// Shapes: none; in full: local
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { fakeProvider, type FakeProvider, type Product, startDrawbridge } from '@drawbridge/testkit';
import { agentServer, type AgentServer, call } from './support/agents.js';
import { type Api, apiOf } from './support/api.js';
import { eventually } from './support/eventually.js';
import { documentedFiles, writeFiles } from './support/files-of-requests.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';

const PROBE = pathToFileURL(join(import.meta.dirname, 'support/executed-files.mjs')).href;
const RUNS = 30;
/** Events are published after the response. The wait must be shorter than the cache lifetime of look-ups, so that the measured request uses them. */
const SETTLE_MS = 100;
/** Files of background work, which are not counted: polling for jobs, and publishing events, which a busy machine can do late. */
const BACKGROUND = /^packages\/(jobs|events\/src\/outbox-relay)\b/;

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-files-'));
const report = join(folder, 'executed.json');

let product: Product;
let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;
let agent: AgentServer;

beforeAll(async () => {
  github = await fakeProvider();
  github.on('*', { status: 201, body: { number: 1, title: 'Broken', state: 'open' } });
  const ORIGIN_MAP = JSON.stringify({ 'https://api.github.com': github.url });
  // The product must not be bundled, so that V8 reports each file of the workspace.
  const env = { ORIGIN_MAP, NODE_OPTIONS: `--import=${PROBE} --conditions=unbundled`, EXECUTED_FILES: report };
  product = await startDrawbridge({ env });
  api = apiOf(product.baseUrl, product.key);
  own = await githubWorkspace(api);
  agent = await agentServer(api, own.workspaceId);
});
afterAll(async () => {
  await product?.stop();
  await github?.stop();
  rmSync(folder, { recursive: true });
});

/** Returns the files that were executed since the last call. */
async function executed(): Promise<Set<string>> {
  rmSync(report, { force: true });
  process.kill(product.processes()['drawbridge']!, 'SIGUSR2');
  return eventually(async () => new Set<string>(JSON.parse(readFileSync(report, 'utf8'))));
}

interface Measured {
  /**
   * Files that were executed in each measurement of the request, so the request needs them. Background work is executed only in some measurements.
   */
  always: string[];
  /** Files that were executed in at least one measurement: the files above, background work, and occasional work of a request. */
  ever: string[];
}

async function filesOf(request: () => Promise<unknown>): Promise<Measured> {
  const windows: Set<string>[] = [];
  for (let run = 0; run < RUNS; run++) {
    await request();
    await sleep(SETTLE_MS);
    await executed();
    await request();
    windows.push(await executed());
  }
  const ever = [...new Set(windows.flatMap((files) => [...files]))].filter((file) => !BACKGROUND.test(file)).sort();
  return { ever, always: ever.filter((file) => windows.every((files) => files.has(file))) };
}

const issue = { repo: 'acme/app', title: 'Broken', body: 'It is broken.' };

interface Call {
  name: string;
  most: number;
  send(): Promise<unknown>;
}

const CALLS: Call[] = [
  {
    name: 'GET workspaces',
    most: 35,
    send: async () => expect((await api.get('/api/v1/workspaces')).status).toBe(200),
  },
  {
    name: 'POST actions/execute',
    most: 80,
    send: async () => expect((await api.post('/api/v1/actions/execute', own.createIssue)).status).toBe(200),
  },
  {
    name: 'MCP tools/call',
    most: 97,
    send: async () => expect(await call(agent, 'gh__create_issue', issue)).not.toHaveProperty('isError'),
  },
];
const NAMES = CALLS.map(({ name }) => name);

const measured: Record<string, Measured> = {};
beforeAll(async () => {
  for (const { name, send } of CALLS) measured[name] = await filesOf(send);
  const always = Object.fromEntries(Object.entries(measured).map(([name, { always }]) => [name, always]));
  if (process.env['WRITE_FILES']) writeFiles(always);
});

describe.each(CALLS)('$name', ({ name, most }) => {
  it('runs through the files that docs/architecture.md names', () => {
    const { always, ever } = measured[name]!;
    const documented = documentedFiles(NAMES)[name]!;
    expect({ missing: always.filter((file) => !documented.includes(file)) }).toEqual({ missing: [] });
    expect({ unused: documented.filter((file) => !ever.includes(file)) }).toEqual({ unused: [] });
  });

  it(`runs through at most ${most} files`, () => {
    expect(measured[name]!.always.length).toBeLessThanOrEqual(most);
  });
});
