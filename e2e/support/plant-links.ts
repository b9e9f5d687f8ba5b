import { type Answer } from './api.js';
import { newKey } from './approvals.js';
import { type Planted } from './planted.js';
import { type Shown, webOf } from './web.js';

/** A product in which a test plants secrets. `ask` and `look` record each response, so that the test can search it for the secrets. */
export interface Planting extends Planted {
  baseUrl: string;
  workspaceId: string;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a request with a response that contains a secret by design. */
  askOnce(method: string, path: string, sent: { body: unknown }): Promise<Answer>;
  look(shown: Promise<Shown>): Promise<Shown>;
}

/** Connects an account on Drawbridge's page through a link. */
export async function plantConnectSession(its: Planting, turn: number): Promise<void> {
  const { baseUrl, workspaceId, ask, look } = its;
  const body = { integrationName: 'http', connectionName: 'H', workspaceId, externalId: `connected ${turn}` };
  const { token, sessionId } = (await its.askOnce('POST', '/api/v1/connect/token', { body })).body;
  its.adopt('connect token', token.slice(10));
  const web = webOf(baseUrl);
  const path = `/connect/${sessionId}`;
  await look(web.get(`/connect?token=${token}`));
  expect((await look(web.get(path))).status).toBe(200);
  const typed = { type: 'SECRET_TEXT', 'field.secretText': its.plant('typed secret') };
  expect((await look(webOf(baseUrl).post(path, typed))).status).toBeGreaterThanOrEqual(400);
  expect((await look(web.post(path, typed))).status).toBe(303);
  await look(web.get(path));
  await ask('GET', `/api/v1/connect/session/${sessionId}`);
  expect((await ask('POST', '/api/v1/connect/session/poll', { token })).status).toBe(200);
  expect((await ask('POST', '/api/v1/connect/session/poll', { token: `${token}x` })).status).toBe(401);
}

/** Opens the portal through a link. */
export async function plantPortal(its: Planting, turn: number): Promise<void> {
  const { baseUrl, workspaceId, ask, look } = its;
  const { endUser } = (await ask('POST', '/api/v1/end-users', { workspaceId, externalId: `ann ${turn}` })).body;
  const body = { expiresIn: 3_600 };
  const { token } = (await its.askOnce('POST', `/api/v1/end-users/${endUser.id}/connect-token`, { body })).body;
  its.adopt('portal token', token.slice(10));
  const web = webOf(baseUrl);
  const { to: page } = await look(web.get(`/connect/portal?token=${token}`));
  expect((await look(web.get(page!))).status).toBe(200);
  await look(webOf(baseUrl).get(`/connect/portal?token=${token}x`));
  await ask('GET', `/api/v1/end-users/${endUser.id}`);
}

/** Rejects a suspended call through a hosted link. Only the response that creates the link may contain its token. */
export async function plantHostedLink(its: Planting, turn: number): Promise<void> {
  const { baseUrl, ask, look } = its;
  const slug = `asks-${turn}`;
  const { workspace } = (await ask('POST', '/api/v1/workspaces', { name: 'Asks', slug })).body;
  await ask('POST', '/api/v1/approval-policies', { name: 'Ask', workspaceId: workspace.id });
  const call = { integrationName: 'data-transformer', actionName: 'transform', input: { expression: '1' } };
  const body = { ...call, workspaceId: workspace.id, idempotencyKey: newKey() };
  const asked = await its.askOnce('POST', '/api/v1/actions/execute', { body });
  expect(asked.status).toBe(202);
  const { approval } = asked.body;
  const { pathname, search, searchParams } = new URL(approval.hostedApprovalUrl);
  its.adopt('hosted link', searchParams.get('token')!.slice('apr_link_'.length));
  const web = webOf(baseUrl);
  await look(web.get(pathname + search));
  expect((await look(web.get(pathname))).status).toBe(200);
  await look(webOf(baseUrl).get(`${pathname}${search}x`));
  expect((await look(web.post(`${pathname}/reject`, { reason: 'No' }))).to).toBe(pathname);
}
