import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './api.js';
import { decide, EXECUTE, newKey, newPolicy, waiting } from './approvals.js';
import { type Drawbridge, drawbridge } from './drawbridge.js';
import { githubWorkspace, type GithubWorkspace } from './github.js';
import { provider } from './provider.js';

export let product: Drawbridge;
export let api: Api;
export let github: FakeProvider;
/** A workspace in which each call needs an approval. */
export let own: GithubWorkspace;

/** Creates the workspace of a test file. Call it in `beforeAll`, and `github.stop()` in `afterAll`. */
export async function openGuardedWorkspace(): Promise<void> {
  product = await drawbridge();
  ({ api } = product);
  github = await provider();
  own = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: own.workspaceId });
  await waiting(api, own.createIssue);
}

/** Returns a call that creates an issue, with a new idempotency key. */
export const call = (changes: object = {}): { idempotencyKey: string } => ({
  ...own.createIssue,
  idempotencyKey: newKey(),
  ...changes,
});

export const execute = (asked: object, headers?: Record<string, string>): Promise<Answer> =>
  api.post(EXECUTE, asked, headers);

/** Makes a call that needs an approval, and approves it. Returns the id of the approval. */
export async function approved(asked: object): Promise<string> {
  const { id } = await waiting(api, asked);
  expect((await decide(api, id, 'approve')).status).toBe(200);
  return id;
}

/** Returns the API of a new key with these permissions. */
export const keyWith = async (permissions: object): Promise<Api> =>
  apiOf(product.baseUrl, (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body.plainKey);
