// Shapes: none; in full: local
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Product } from '@drawbridge/testkit';
import { agentServer, type AgentServer, call } from './support/agents.js';
import { apiOf } from './support/api.js';
import { newOrganization } from './support/organizations.js';
import { ownProduct } from './support/own-product.js';
import { newIntegration } from './support/workspace-integrations.js';

const FIXTURES = join(import.meta.dirname, '../packages/sandbox/src/fixtures');
const ESCAPES: { name: string; first?: string; code: string }[] = read('escapes.json');
const FLAGS = { env: 'flag-env-4d1f', file: 'flag-file-88a2', run: 'flag-run-7f3b', polluted: 'flag-polluted' };
const REACHED = /flag-|DATABASE_URL|postgres(ql)?:\/\/|node:internal/;

/** The functions that the fixtures call. Functions that the sandbox does not provide call actions. */
const FUNCTIONS = `
  const f = (...args) => svc.hash.hash({ text: JSON.stringify(args) ?? '', algorithm: 'md5' });
  const fail = () => svc.hash.hash({ unknown: 1 });
  const refuse = () => svc.hash.none({});\n`;

let folder: string;
let product: Product;
let own: AgentServer;
let other: AgentServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-hostile-'));
  writeFileSync(join(folder, 'planted.txt'), FLAGS.file);
  product = await ownProduct({ env: { PLANTED_FLAG: FLAGS.env } });
  [own, other] = [await codeServer(), await codeServer()];
});
afterAll(async () => {
  await product?.stop();
  rmSync(folder, { recursive: true });
});

/** Creates an organization with an MCP server in mode CODE. */
async function codeServer(): Promise<AgentServer> {
  const api = apiOf(product.baseUrl, (await newOrganization(product.databaseUrl)).plainKey);
  const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Hostile', slug: 'hostile' })).body;
  await newIntegration(api, workspace.id, { alias: 'hash' });
  return agentServer(api, workspace.id, { mode: 'CODE' });
}

function read(file: string) {
  return JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'));
}

function run(server: AgentServer, code: string, more: object = {}): Promise<any> {
  const input = { file: join(folder, 'planted.txt'), list: [1, 2], text: 'text', nested: { a: 1 }, ...more };
  return call(server, 'svc_execute', { code: `input = ${JSON.stringify(input)};${FUNCTIONS}${code}` });
}

async function expectUsable(server: AgentServer): Promise<void> {
  const code =
    'const { result } = await f("a"); return [result, ...[{}, [], () => 1].map((one) => one.polluted ?? one.kept ?? 0)]';
  expect(await run(server, code)).toMatchObject({ content: [{ text: '["4c96bbc0e2390918dd50ef8e7eaff6e2",0,0,0]' }] });
}

it.each(ESCAPES)('$name reaches nothing through svc_execute', async ({ first, code }) => {
  if (first) await run(other, first, { flag: FLAGS.run });
  const result = await run(own, code);
  // Some programs contain the value that they write to a prototype, so this value in their result proves nothing.
  if (!code.includes(FLAGS.polluted)) expect(JSON.stringify(result)).not.toMatch(REACHED);
  await expectUsable(own);
});
