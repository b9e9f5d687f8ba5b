// Shapes: local
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalDeclinedError, CodeRunError, Drawbridge, ValidationError } from '@drawbridge/sdk';
import { generate, readCatalog } from '@drawbridge/sdk/generate';
import { validateInput } from '@drawbridge/sdk/validate';
import { type FakeProvider } from '@drawbridge/testkit';
import { requireDeclared } from './support/declared-answers.js';
import { type Drawbridge as Product, drawbridge } from './support/drawbridge.js';
import { EVERY_OPERATION } from './support/every-operation.js';
import { githubWorkspace } from './support/github.js';
import { type Call, operationsOf } from './support/operations.js';
import { type OwnedResources, ownedResources } from './support/owned-resources.js';
import { newPerson } from './support/people.js';
import { provider } from './support/provider.js';

const TABLE = readFileSync(join(import.meta.dirname, '../packages/sdk-typescript/OPERATIONS.md'), 'utf8');
const METHODS = [...TABLE.matchAll(/^\| (\w+) \| `\w+ \S+` \| `(\w+)\.(\w+)\((.*)\)` \|$/gm)].map(
  ([, operation, resource, method, names]) => ({ operation, resource, method, names: names?.split(', ') ?? [] }),
);

let product: Product;
let github: FakeProvider;
let own: OwnedResources;
let client: Drawbridge;

beforeAll(async () => {
  product = await drawbridge();
  github = await provider();
  own = await ownedResources(product.api, await newPerson(product));
  const { baseUrl, key: apiKey } = product;
  client = new Drawbridge({ baseUrl, apiKey, fetch: declaredFetch, maxRetries: 0 });
});
afterAll(() => github.stop());

/** Throws if the document does not declare the response. */
const declaredFetch: typeof fetch = async (url, init) => {
  const response = await fetch(url, init);
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const text = await response.clone().text();
  const { pathname, search } = new URL(String(url));
  const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  requireDeclared(init?.method ?? 'GET', pathname + search, answer);
  return response;
};

/** Calls a method with the input of a valid call of its operation. Streams are read to their end. */
async function callMethod({ resource, method, names }: (typeof METHODS)[number], call: Call): Promise<unknown> {
  const single: Record<string, string> = { id: own.connectionId, name: 'github' };
  const argumentOf = (name: string): unknown =>
    call.path?.[name] ?? (name === 'body' ? call.body : name === 'query' ? call.query : single[name]);
  const methods = client[resource as keyof Drawbridge] as unknown as Record<string, (...args: unknown[]) => unknown>;
  const result = methods[method!]!(...names.filter((name) => name !== '').map(argumentOf)) as Promise<unknown>;
  if (!('next' in result)) return result;
  const items = [];
  for await (const item of result as unknown as AsyncIterable<unknown>) items.push(item);
  return items;
}

describe('the TypeScript SDK', () => {
  it('has a method for every operation of the document', async () => {
    const operations = await operationsOf(product.api);
    const named = new Set(METHODS.map(({ operation }) => operation));
    expect([...named].sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it.each(METHODS)('calls $operation with $resource.$method', async (row) => {
    const { call, refusal } = EVERY_OPERATION[row.operation!]!;
    const done = callMethod(row, await call(own));
    if (refusal) await expect(done).rejects.toMatchObject({ code: refusal.split(' ')[1] });
    else expect(await done).toEqual(expect.any(Object));
  });

  it('is the source of its calls, and runs an action once for one key', async () => {
    github.on('POST /repos/acme/app/issues', { status: 201, body: { number: 7 } });
    const { createIssue, workspaceId } = await githubWorkspace(product.api);
    const before = github.requests.length;
    const call = { ...createIssue, idempotencyKey: 'sdk-1' };
    const first = await client.actions.execute(call);
    expect(await client.actions.execute(call)).toEqual(first);
    expect(github.requests.length - before).toBe(1);
    const [execution] = await client.executions.list({ workspaceId }).toArray();
    expect(execution).toMatchObject({ source: 'sdk', actionName: 'create_issue' });
  });

  it('finds the problems of an input that the product finds', async () => {
    const { workspaceId } = own;
    const input = { repo: 1, labels: ['a', 2], body: null };
    const call = { workspaceId, integrationName: 'github', integrationAlias: 'gh', actionName: 'create_issue', input };
    const refused = await client.actions.execute(call).catch((thrown) => thrown);
    expect(refused).toBeInstanceOf(ValidationError);
    expect(refused.details.fields).toEqual(validateInput({ integration: 'github', action: 'create_issue' }, input));
  });

  it('generates the types of the catalog of the product', async () => {
    const text = await generate(client);
    expect(text).toContain('    create_issue: {\n');
    const { integrations } = await client.integrations.list();
    expect(Object.keys(await readCatalog(client))).toEqual(integrations.map(({ name }) => name));
  });

  it('goes through all pages', async () => {
    const workspaceId = own.workspaceId;
    const names = ['a', 'b', 'c'].map((name) => `page-${name}`);
    for (const externalId of names) await client.endUsers.create({ workspaceId, externalId });
    const found = await client.endUsers.list({ workspaceId, limit: 1 }).toArray();
    expect(found.map(({ externalId }) => externalId)).toEqual(expect.arrayContaining(names));
  });
});

describe('approvals of the TypeScript SDK', () => {
  const decidedBy = (decide: 'approve' | 'reject') => ({
    pollMs: 20,
    onApprovalRequired: async ({ id }: { id: string }) =>
      void (await client.approvals[decide](id, { reason: 'Asked for' })),
  });

  beforeAll(async () => {
    github.on('POST /repos/acme/app/issues', { status: 201, body: { number: 8 } });
    own = { ...own, ...(await githubWorkspace(product.api)) };
    await client.approvalPolicies.create({ name: 'Ask first', workspaceId: own.workspaceId });
  });

  it('runs the call once after a person has approved it', async () => {
    const before = github.requests.length;
    const { output } = await client.executeWithApproval(own.createIssue, decidedBy('approve'));
    expect(output).toMatchObject({ number: 8 });
    expect(github.requests.length - before).toBe(1);
  });

  it('fails if a person rejects the call, and runs nothing', async () => {
    const before = github.requests.length;
    const error = await client.executeWithApproval(own.createIssue, decidedBy('reject')).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApprovalDeclinedError);
    expect(error.message).toMatch(/^Approval apr_\S+ is rejected: Asked for$/);
    expect(github.requests.length).toBe(before);
  });

  it('continue a program of Code Mode', async () => {
    const { server } = await client.mcpServers.create({ name: 'Agent', workspaceId: own.workspaceId, mode: 'CODE' });
    const run = (code: string, decision: 'approve' | 'reject') => client.runCode(server.id, code, decidedBy(decision));
    const code = "console.log('made'); return (await svc.gh.create_issue({ repo: 'acme/app', title: 'T' })).number;";
    expect(await run(code, 'approve')).toEqual({ value: 8, notes: [expect.stringContaining('made')] });
    await expect(run(code, 'reject')).rejects.toMatchObject({ name: 'CodeRunError', code: 'APPROVAL_REJECTED' });
    await expect(run('throw new Error("no")', 'approve')).rejects.toThrow(CodeRunError);
    expect(await run('return { a: [1, "ä"] }', 'approve')).toEqual({ value: { a: [1, 'ä'] }, notes: [] });
    expect((await run('1', 'approve')).value).toBeUndefined();
  });
});
