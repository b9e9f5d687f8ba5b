// Shapes: none; in full: processes
import { type FakeProvider, fakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { expectError } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { ownProduct } from './support/own-product.js';
import { unexpectedErrors } from './support/unexpected.js';

/** Characters outside of the basic multilingual plane have two UTF-16 units. A cut between them leaves text that cannot be encoded. */
const FACES = '😀'.repeat(150);
const MANY_FACES = '😀'.repeat(9_000);
const HAN = '漢'.repeat(31_000);

const EXECUTE = '/api/v1/actions/execute';

let provider: FakeProvider;
let product: Product;
let api: Api;
let workspace: GithubWorkspace;
let pids: Record<string, number>;

beforeAll(async () => {
  provider = await fakeProvider();
  product = await ownProduct({ env: { ORIGIN_MAP: JSON.stringify({ 'https://api.github.com': provider.url }) } });
  api = apiOf(product.baseUrl, product.key);
  workspace = await githubWorkspace(api);
  pids = product.processes();
});
afterAll(async () => {
  await product?.stop();
  await provider.stop();
});

const hash = (input: object): Promise<Answer> => {
  const { workspaceId } = workspace;
  return api.post(EXECUTE, { integrationName: 'hash-encode', actionName: 'hash', workspaceId, input });
};

/** Signal 0 sends nothing, and fails if the process does not exist. */
async function expectAllAlive(): Promise<void> {
  Object.values(pids).forEach((pid) => process.kill(pid, 0));
  const fine = await hash({ text: 'x', algorithm: 'sha256' });
  expect({ status: fine.status, body: fine.body }).toMatchObject({ status: 200 });
  expect(unexpectedErrors(product.logs())).toEqual([]);
}

describe('oversized or malformed text crashes no process:', () => {
  it.each([
    ['that is cut within a character', `a${FACES}`],
    ['of emoji', FACES],
    ['of a lone surrogate', `a\ud83d`],
    ['of 9,000 emoji', `a${MANY_FACES}`],
    ['of 31,000 Chinese characters', HAN],
  ])('as an input key %s', async (_, key) => {
    expectError(await hash({ text: 'x', algorithm: 'sha256', [key]: 1 }), 400, 'VALIDATION_ERROR');
    await expectAllAlive();
  });

  it.each([
    ['emoji', `a${MANY_FACES}`],
    ['Chinese characters', HAN],
    ['a lone surrogate', 'a\udc00'],
  ])('as a value of %s in another field', async (_, value) => {
    expectError(await hash({ text: 'x', algorithm: value }), 400, 'VALIDATION_ERROR');
    const naming = { ...workspace.createIssue, integrationName: value };
    expect((await api.post(EXECUTE, naming)).status).toBe(400);
    expect((await api.post(EXECUTE, { ...workspace.createIssue, actionName: value })).status).toBe(400);
    await expectAllAlive();
  });

  it.each([
    ['emoji', `a${MANY_FACES}`],
    ['Chinese characters', HAN],
  ])('as the error message of a provider: %s', async (_, message) => {
    provider.on('*', { status: 422, body: { message, errors: [{ message }] } });
    expectError(await api.post(EXECUTE, workspace.createIssue), 400, 'ACTION_FAILED');
    await expectAllAlive();
  });
});
