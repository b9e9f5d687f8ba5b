// Shapes: none; in full: local
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Product } from '@drawbridge/testkit';
import { agentServer, type AgentServer, call } from './support/agents.js';
import { apiOf } from './support/api.js';
import { newOrganization } from './support/organizations.js';
import { ownProduct } from './support/own-product.js';
import { newIntegration } from './support/workspace-integrations.js';

interface Bomb {
  name: string;
  code: string;
  ends: string[];
}

const FIXTURES = join(import.meta.dirname, '../packages/sandbox/src/fixtures/bombs.json');
/** One program for each resource. The tests of the sandbox run all programs, with lower limits. */
const NAMES = new Set([
  'an endless loop in a getter of the result',
  'strings that double',
  'an array that grows',
  'a huge typed array',
  'promises that multiply',
  'deep recursion that is caught',
  'console floods with long lines',
  'a deep output',
  'an error with a huge message',
  'code that is nested deeply',
  'types that are nested deeply',
  'calls at the same time without end',
  'calls with large arguments',
]);
const BOMBS: Bomb[] = JSON.parse(readFileSync(FIXTURES, 'utf8')).filter(({ name }: Bomb) => NAMES.has(name));
const FUNCTIONS = `const f = (...args) => svc.hash.hash({ text: JSON.stringify(args) ?? '', algorithm: 'md5' });\n`;

let product: Product;
let bomber: AgentServer;
let neighbour: AgentServer;

beforeAll(async () => {
  product = await ownProduct();
  [bomber, neighbour] = [await codeServer(), await codeServer()];
});
afterAll(() => product?.stop());

/** Creates an organization with an MCP server in mode CODE. */
async function codeServer(): Promise<AgentServer> {
  const api = apiOf(product.baseUrl, (await newOrganization(product.databaseUrl)).plainKey);
  const { workspace } = (await api.post('/api/v1/workspaces', { name: 'Bombs', slug: 'bombs' })).body;
  await newIntegration(api, workspace.id, { alias: 'hash' });
  return agentServer(api, workspace.id, { mode: 'CODE' });
}

const run = (server: AgentServer, code: string): Promise<any> => call(server, 'svc_execute', { code });

it('are all known', () => expect(BOMBS).toHaveLength(NAMES.size));

it.each(BOMBS)('$name ends, and the program of a neighbour runs meanwhile', async ({ code, ends }) => {
  const program = code.replace('@@NESTED', '['.repeat(100_000));
  const [ended, answer] = await Promise.all([
    run(bomber, `${FUNCTIONS}${program}`),
    run(neighbour, `${FUNCTIONS}return (await f('a')).result`),
  ]);
  const { isError, structuredContent } = ended;
  expect([...ends, 'TIMEOUT']).toContain(isError ? structuredContent.code : 'completed');
  expect(JSON.stringify(ended).length).toBeLessThan(200_000);
  expect(answer).toMatchObject({ content: [{ text: '"4c96bbc0e2390918dd50ef8e7eaff6e2"' }] });
});

it('leave a process that serves programs', async () => {
  expect(await run(bomber, 'return 1')).toMatchObject({ content: [{ text: '1' }] });
});
