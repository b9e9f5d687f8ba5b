import { randomUUID } from 'node:crypto';
import { agentServer, type AgentServer, modern } from '../agents.js';
import { type Answer, type Api, apiOf } from '../api.js';
import { newPolicy, waiting } from '../approvals.js';
import { rowsOf } from '../database.js';
import { githubWorkspace } from '../github.js';
import { fresh } from '../owned-resources.js';
import { type Enabled, type NotifiedTriggers } from '../notified-triggers.js';
import { asGithub, githubSecretOf } from '../trigger-vendors.js';

/** A call during a fault, and a check whether its effect is stored. */
export interface Attempt {
  flow: string;
  answer: Answer | undefined;
  hasHappened(): Promise<boolean>;
}

/** Prepares a flow without faults. The returned function makes the call. */
type Flow = () => Promise<() => Promise<Omit<Attempt, 'flow'>>>;

interface Stage {
  its: NotifiedTriggers;
  api: Api;
  createIssue: { input: object };
  gated: object;
  server: AgentServer;
  push: Enabled;
}

/** The caller's timeout. It must exceed the deadline of a call; a stopped gateway never responds. */
const CALLER_MS = 110_000;

export async function flowsOf(its: NotifiedTriggers): Promise<Record<string, Flow>> {
  const api = apiOf(its.product.baseUrl, its.product.key);
  its.vendors.on('POST /repos/acme/app/issues', { status: 201, body: { number: 1 } });
  const [free, watched] = [await githubWorkspace(api), await githubWorkspace(api)];
  await newPolicy(api, { workspaceId: watched.workspaceId });
  const server = await agentServer(api, free.workspaceId);
  const push = await its.enabled(api, { integrationName: 'github', triggerName: 'push', input: { repo: 'acme/app' } });
  const stage = { its, api, createIssue: free.createIssue, gated: watched.createIssue, server, push };
  return {
    execute: () => execute(stage),
    'execute with a key': () => execute(stage, randomUUID()),
    approve: () => approve(stage),
    connect: () => connect(stage),
    'revoke a key': () => revoke(stage),
    intake: () => intake(stage),
    MCP: () => callTool(stage),
  };
}

const wasSent = ({ its }: Stage, title: string): boolean =>
  its.vendors.requests.some(({ body }) => body?.title === title);

async function execute(stage: Stage, idempotencyKey?: string): ReturnType<Flow> {
  const [title, { createIssue }] = [fresh(), stage];
  const body = { ...createIssue, idempotencyKey, input: { ...createIssue.input, title } };
  return async () => {
    const answer = await answerTo(stage.api.send, 'POST', '/api/v1/actions/execute', body);
    return { answer, hasHappened: async () => wasSent(stage, title) };
  };
}

async function approve({ api, its, gated }: Stage): ReturnType<Flow> {
  const { id } = await waiting(api, gated);
  const sql = "SELECT 1 FROM approvals.approval_requests WHERE id = $1 AND status = 'approved'";
  return async () => {
    const answer = await answerTo(api.send, 'POST', `/api/v1/approvals/${id}/approve`, {});
    return { answer, hasHappened: () => isStored(its, sql, id.slice('apr_'.length)) };
  };
}

async function connect({ api, its }: Stage): ReturnType<Flow> {
  const externalId = fresh();
  const secret = { type: 'SECRET_TEXT', secretText: 'ghp_1', integrationName: 'github', displayName: 'C' };
  const sql = 'SELECT 1 FROM connections.connections WHERE external_id = $1';
  return async () => {
    const body = { ...secret, externalId, scope: 'ORGANIZATION' };
    const answer = await answerTo(api.send, 'POST', '/api/v1/connections', body);
    return { answer, hasHappened: () => isStored(its, sql, externalId) };
  };
}

async function revoke({ api, its }: Stage): ReturnType<Flow> {
  const { apiKey } = (await api.post('/api/v1/api-keys', { name: 'K', permissions: { scope: 'org' } })).body;
  const sql = 'SELECT 1 FROM members.api_keys WHERE id = $1 AND revoked_at IS NOT NULL';
  return async () => {
    const answer = await answerTo(api.send, 'DELETE', `/api/v1/api-keys/${apiKey.id}`);
    return { answer, hasHappened: () => isStored(its, sql, apiKey.id) };
  };
}

async function intake({ its, push }: Stage): ReturnType<Flow> {
  const text = JSON.stringify({ ref: 'refs/heads/main', note: fresh() });
  const headers = await asGithub(text, githubSecretOf(its.vendors, push.hook), randomUUID());
  return async () => {
    const answer = await its.send(push.hook, text, headers).catch(() => undefined);
    const payloads = (): string[] => its.receiver.at(push.path).map(({ body }) => JSON.stringify(body.payload));
    return { answer, hasHappened: async () => payloads().includes(text) };
  };
}

async function callTool(stage: Stage): ReturnType<Flow> {
  const title = fresh();
  const params = { name: 'gh__create_issue', arguments: { repo: 'acme/app', title } };
  return async () => {
    const signal = AbortSignal.timeout(CALLER_MS);
    const answer = await modern(stage.server, { method: 'tools/call', params, signal }).catch(() => undefined);
    return { answer, hasHappened: async () => wasSent(stage, title) };
  };
}

/** Returns the response, or undefined if the connection was closed or the caller's timeout passed. */
function answerTo(send: Api['send'], method: string, path: string, body?: unknown): Promise<Answer | undefined> {
  return send(method, path, { body, signal: AbortSignal.timeout(CALLER_MS) }).catch(() => undefined);
}

async function isStored({ product }: NotifiedTriggers, sql: string, id: string): Promise<boolean> {
  return (await rowsOf(product.databaseUrl, sql, [id])).length === 1;
}
