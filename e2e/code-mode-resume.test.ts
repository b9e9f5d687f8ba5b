// Shapes: none; in full: local, processes
import { join } from 'node:path';
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { agentServer, type AgentServer, call } from './support/agents.js';
import { type Api, apiOf } from './support/api.js';
import { decide, letPass, newPolicy } from './support/approvals.js';
import { githubWorkspace } from './support/github.js';
import { newOrganization } from './support/organizations.js';
import { ownProduct } from './support/own-product.js';
import { shared } from './support/shared.js';
import { newIntegration } from './support/workspace-integrations.js';

const DAY = 86_400;
/** Number of random programs. Separate processes only change the transport of their calls. Set `PROGRAMS=1000` to run more. */
const PROGRAMS = Number(process.env['PROGRAMS'] ?? (shared().shape === 'processes' ? 15 : 60));
const FIXTURES = join(import.meta.dirname, '../packages/sandbox/src/fixtures');
const GATED = 'https://pause.example/';

let provider: FakeProvider;
let product: Product;
let api: Api;

beforeAll(async () => {
  provider = await fakeProvider();
  provider.on('*', { status: 201, body: { number: 1 } });
  product = await ownProduct({ env: { ORIGIN_MAP: JSON.stringify({ 'https://api.github.com': provider.url }) } });
  api = apiOf(product.baseUrl, (await newOrganization(product.databaseUrl)).plainKey);
});
afterAll(async () => {
  await product?.stop();
  await provider.stop();
});

/** Creates a workspace with an MCP server in mode CODE. With `isGated`, calls with pause.example in their input need an approval. */
async function codeServer(isGated: boolean): Promise<{ server: AgentServer; workspaceId: string }> {
  const { workspaceId } = await githubWorkspace(api);
  await newIntegration(api, workspaceId, { alias: 'hash' });
  const timeoutSeconds = 7 * DAY;
  if (isGated) await newPolicy(api, { workspaceId, rules: { domainDenylist: ['pause.example'] }, timeoutSeconds });
  return { server: await agentServer(api, workspaceId, { mode: 'CODE' }), workspaceId };
}

const execute = (server: AgentServer, args: object): Promise<any> => call(server, 'svc_execute', args);
const valueOf = ({ content, isError }: any): any => {
  expect({ content, isError: isError ?? false }).toMatchObject({ isError: false });
  return JSON.parse(content[0].text);
};

/** Approves each pause until the run ends. Returns the last result and the number of pauses. */
async function untilDone(server: AgentServer, code: string): Promise<{ result: any; pauses: number }> {
  let result = await execute(server, { code });
  for (let pauses = 0; ; pauses++) {
    const { structuredContent: waiting } = result;
    if (waiting?.view !== 'approval_required') return { result, pauses };
    for (const { id } of waiting.approvals ?? [waiting.approval]) await decide(api, id, 'approve');
    result = await execute(server, waiting.continuation.arguments);
  }
}

it('resumes in other processes a day after all processes were killed, and repeats no call', async () => {
  const { server } = await codeServer(true);
  const code = `
    const titles = ['one', 'two', 'three', 'four', 'five'][Symbol.iterator]();
    let count = 0;
    const next = () => { count++; return titles.next().value; };
    const open = (title) => svc.gh.create_issue({ repo: 'acme/app', title, body: title === 'three' ? '${GATED}' : 'b' });
    let settle; const later = new Promise((resolve) => { settle = resolve; }).then((value) => value + 1);
    const numbers = [];
    for (let at = 0; at < 5; at++) { const { number } = await open(next()); numbers.push(number); }
    settle(count);
    return { numbers, later: await later, count };`;
  const waiting = (await execute(server, { code })).structuredContent;
  expect(waiting).toMatchObject({ status: 'approval_required', continuation: { tool: 'svc_execute' } });
  const titles = () => provider.requests.map(({ body }) => (body as { title: string }).title);
  expect(titles()).toEqual(['one', 'two']);

  for (const name of Object.keys(product.processes())) await product.kill(name);
  await letPass(product.databaseUrl, waiting.approval.id, DAY);
  for (const name of Object.keys(product.processes())) await product.restart(name);

  await decide(api, waiting.approval.id, 'approve');
  const result = await execute(server, waiting.continuation.arguments);
  expect(valueOf(result)).toEqual({ numbers: [1, 1, 1, 1, 1], later: 6, count: 5 });
  expect(titles()).toEqual(['one', 'two', 'three', 'four', 'five']);
  expect(await execute(server, waiting.continuation.arguments)).toEqual(result);
  expect(titles()).toHaveLength(5);
});

it(
  `returns the same results for ${PROGRAMS} random programs with and without pauses at random calls`,
  async () => {
    const { randomProgram } = await import(join(FIXTURES, 'random-program.mjs'));
    const [paused, free] = [await codeServer(true), await codeServer(false)];
    const pauses: number[] = [];
    for (let seed = 1; seed <= PROGRAMS; seed++) {
      const code = `const ask = async (number) => {
        const text = Math.abs(Math.trunc(number)) % 5 === ${seed % 5} ? '${GATED}' + number : String(number);
        const { result } = await svc.hash.hash({ text, algorithm: 'md5' });
        return { number: parseInt(result.slice(0, 4), 16) % 100 };
      };\n${randomProgram(seed)}`;
      const expected = valueOf(await execute(free.server, { code }));
      const { result, pauses: times } = await untilDone(paused.server, code);
      expect({ seed, value: valueOf(result) }).toEqual({ seed, value: expected });
      pauses.push(times);
    }
    expect(pauses.filter((times) => times > 0).length).toBeGreaterThan(PROGRAMS / 2);
  },
  20 * 60_000,
);
