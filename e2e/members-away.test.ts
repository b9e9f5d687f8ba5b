// Shapes: none; in full: processes
import { newApiKey } from '@drawbridge/contracts';
import { type Product } from '@drawbridge/testkit';
import { agentServer, modern } from './support/agents.js';
import { type Answer, apiOf } from './support/api.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { ownProduct } from './support/own-product.js';
import { newWorkspace } from './support/workspace-integrations.js';

const PATH = '/api/v1/workspaces';
const PUBLIC_LIMIT = 5;

let product: Product;
beforeAll(async () => {
  product = await ownProduct({ env: { PUBLIC_RATE_LIMIT: String(PUBLIC_LIMIT) } });
});
afterAll(() => product?.stop());

const probe = (): Promise<Answer> => apiOf(product.baseUrl).get('/readyz');

it('a hanging service makes /readyz answer 503 in time, with its name', async () => {
  await eventually(async () => expect((await probe()).status).toBe(200));
  const pid = product.processes()['members']!;
  process.kill(pid, 'SIGSTOP');
  try {
    await eventually(async () => expect(await probe()).toMatchObject({ status: 503, body: { status: 'unavailable' } }));
    expect((await probe()).body.unready).toContain('members');
    const itself = await apiOf(product.baseUrl).get('/readyz?exclude=services');
    expect(itself).toMatchObject({ status: 200, body: { status: 'ok', unready: [] } });
    expect((await apiOf(product.baseUrl).get('/healthz')).status).toBe(200);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => expect((await probe()).status).toBe(200));
});

it('without mcp a known agent receives 503, and does not count as unauthenticated', async () => {
  const api = apiOf(product.baseUrl, product.key);
  const server = await agentServer(api, await newWorkspace(api));
  expect((await modern(server)).status).toBe(200);
  await product.kill('mcp');
  const degraded = { status: 'degraded', unready: [], degraded: ['mcp'] };
  await eventually(async () => expect(await probe()).toMatchObject({ status: 200, body: degraded }));
  const answers = await Promise.all(Array.from({ length: 4 * PUBLIC_LIMIT }, () => modern(server)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
});

it('without members a request answers 503 with every header, and guessed keys are rate-limited before any look-up', async () => {
  await product.kill('members');
  const answer = await apiOf(product.baseUrl, product.key).get(PATH);
  expectError(answer, 503, 'UNAVAILABLE');
  for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    expect(answer.headers.get(name)).toMatch(/\d/);
  expect(answer.headers.get('cache-control')).toBe('no-store');

  const guess = (): Promise<Answer> => apiOf(product.baseUrl, newApiKey()).get(PATH);
  const answers = await Promise.all(Array.from({ length: 200 }, guess));
  const asked = answers.filter(({ status }) => status === 503);
  expect(asked.length).toBeLessThanOrEqual(PUBLIC_LIMIT);
  for (const refused of answers.filter((one) => !asked.includes(one))) expectError(refused, 429, 'RATE_LIMITED');
});
