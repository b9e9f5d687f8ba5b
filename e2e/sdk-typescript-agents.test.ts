// Shapes: none; in full: local
import { Drawbridge } from '@drawbridge/sdk';
import { type ToolOptions } from '@drawbridge/sdk/ai-sdk';
import { type FakeProvider } from '@drawbridge/testkit';
import { AGENT_FRAMEWORKS, type AgentFramework } from './support/agent-frameworks.js';
import { drawbridge } from './support/drawbridge.js';
import { githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';

const CREATE = 'github_create_issue';
const INPUT = { repo: 'acme/app', title: 'T', body: 'B' };

let github: FakeProvider;
let client: Drawbridge;
let baseUrl: string;
let key: string;
/** A workspace without approval policies, and one in which every call needs an approval. */
let open: ToolOptions;
let guarded: ToolOptions;

beforeAll(async () => {
  const product = await drawbridge();
  github = await provider();
  ({ baseUrl, key } = product);
  client = new Drawbridge({ baseUrl, apiKey: key, maxRetries: 0 });
  const options = async (): Promise<ToolOptions> => {
    const { workspaceId } = await githubWorkspace(product.api);
    return { workspaceId, integrationAlias: 'gh', actions: ['github.create_issue'] };
  };
  open = await options();
  guarded = await options();
  await client.approvalPolicies.create({ name: 'Ask first', workspaceId: guarded.workspaceId });
});
beforeEach(() => {
  github.reset();
  github.on('POST /repos/acme/app/issues', { status: 201, body: { number: 8 } });
});
afterAll(() => github.stop());

const decide = async (decision: 'approve' | 'reject'): Promise<void> => {
  const { approvals } = await client.approvals.list({ workspaceId: guarded.workspaceId, status: 'pending' });
  for (const { id } of approvals) await client.approvals[decision](id, { reason: 'Asked for' });
};

describe.each(AGENT_FRAMEWORKS)('an agent of $name', ({ make }: AgentFramework) => {
  const issue = { name: CREATE, input: INPUT };

  it('runs an action and gets its output', async () => {
    const { results, text } = await (await make(client, open)).run([issue]);
    expect(results.map((result) => JSON.parse(result))).toEqual([expect.objectContaining({ number: 8 })]);
    expect(text).toBe('Done');
    expect(github.requests).toHaveLength(1);
  });

  it('is offered the chosen actions, with their descriptions and inputs', async () => {
    const agent = await make(client, { ...open, actions: ['github.create_issue', 'hash-encode.*'] });
    const [first, ...others] = (await agent.run([])).offered;
    const { integrations } = await client.integrations.list();
    const described = (name: string) => integrations.find((one) => one.name === name)!.actions;
    const names = Object.keys(described('hash-encode')).map((action) => `hash_encode_${action}`);
    expect(others.map(({ name }) => name)).toEqual(names.sort());
    expect(first).toMatchObject({
      name: CREATE,
      description: described('github')['create_issue']!.description,
      schema: { type: 'object', required: ['repo', 'title'], properties: { title: { type: 'string' } } },
    });
  });

  it('gets the reason of a failure and corrects its call', async () => {
    const invalid = { status: 422, body: { message: 'Title is bad' } };
    const created = { status: 201, body: { number: 9 } };
    github.on('POST /repos/acme/app/issues', () => (github.requests.length === 1 ? invalid : created));
    const { results, text } = await (await make(client, open)).run([issue, issue]);
    expect(results[0]).toMatch(/^github_create_issue failed: .*Title is bad.*\. The same arguments fail again/);
    expect(JSON.parse(results[1]!)).toMatchObject({ number: 9 });
    expect(text).toBe('Done');
  });

  it('gets the problems of an input that is refused', async () => {
    const agent = await make(client, open);
    const { results } = await agent.run([{ name: CREATE, input: { ...INPUT, labels: [{ name: 'x' }] } }]);
    expect(results[0]).toMatch(/labels/);
    expect(github.requests).toHaveLength(0);
  });

  it('gets the link of an approval, and runs the same call once after it', async () => {
    const agent = await make(client, guarded);
    const { results, text } = await agent.run([issue, issue]);
    const asks =
      /^A person must approve this first\. github_create_issue did not run\. .* decide at http\S+\/(apr_[^\s?]+)/;
    expect(results.map((result) => asks.exec(result)?.[1])).toEqual([expect.any(String), asks.exec(results[0]!)![1]]);
    expect(text).toBe('Done');
    expect(github.requests).toHaveLength(0);
    await decide('approve');
    const { body, title, repo } = INPUT;
    const again = await agent.run([{ name: CREATE, input: { body, title, repo } }, issue]);
    expect(JSON.parse(again.results[0]!)).toMatchObject({ number: 8 });
    expect(again.results[1]).toMatch(asks);
    expect(github.requests).toHaveLength(1);
    await decide('reject');
  });

  it('waits for an approval with onApproval wait', async () => {
    const waiting = (decision: 'approve' | 'reject'): ToolOptions => ({
      ...{ ...guarded, onApproval: 'wait', pollMs: 20 },
      onApprovalRequired: () => decide(decision),
    });
    const approved = await (await make(client, waiting('approve'))).run([issue]);
    expect(JSON.parse(approved.results[0]!)).toMatchObject({ number: 8 });
    const rejected = await (await make(client, waiting('reject'))).run([issue]);
    expect(rejected.results[0]).toMatch(/^github_create_issue did not run\. Approval apr_\S+ is rejected: Asked for\./);
    expect(github.requests).toHaveLength(1);
  });

  it('gets the reasons of a policy that blocks its call', async () => {
    const policy = { workspaceId: open.workspaceId, rules: { domainDenylist: ['evil.example'] } };
    await client.approvalPolicies.create({ name: 'No evil', decision: 'block', ...policy });
    const input = { ...INPUT, body: 'https://evil.example' };
    const { results } = await (await make(client, open)).run([{ name: CREATE, input }]);
    expect(results[0]).toMatch(
      /^github_create_issue did not run\. The approval policy No evil blocks this.*domainDenylist/,
    );
  });

  it('throws errors that only the program can correct', async () => {
    const call = async (own: Drawbridge, changes: object) => (await make(own, { ...open, ...changes })).callTool(INPUT);
    const stranger = new Drawbridge({ baseUrl, apiKey: 'svc_wrong', fetch: withActions(fetch) });
    await expect(call(stranger, {})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(call(client, { integrationAlias: 'none' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const none = { actions: ['github.nothing'] };
    await expect(call(client, none)).rejects.toThrow('the instance has no action github.nothing');
  });

  it('ends the request when the run is aborted', async () => {
    const controller = new AbortController();
    let ended: unknown;
    const hangs: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init!.signal!.addEventListener('abort', () => reject((ended = init!.signal!.reason)));
        controller.abort(new Error('The user left'));
      });
    const agent = await make(new Drawbridge({ baseUrl, fetch: withActions(hangs) }), open);
    await expect(agent.run([issue], controller.signal)).rejects.toThrow();
    expect(ended).toMatchObject({ message: 'The user left' });
  });
});

it('tells a model of OpenAI Agents that its arguments are not JSON', async () => {
  const { make } = AGENT_FRAMEWORKS.find(({ name }) => name === 'OpenAI Agents')!;
  const agent = await make(client, open);
  const { results } = await agent.run(['{', '[1]'].map((input) => ({ name: CREATE, input })));
  expect(results[0]).toContain('valid JSON');
  expect(results[1]).toMatch(/^github_create_issue did not run\. Its arguments are invalid: input/);
});

it('gives a program of LangChain the output itself', async () => {
  const { tools } = await import('@drawbridge/sdk/langchain');
  const [tool] = await tools(client, open);
  const call = { type: 'tool_call' as const, id: '1', name: CREATE, args: INPUT };
  expect((await tool!.invoke(call)).artifact).toMatchObject({ number: 8 });
});

/** Sends calls of actions with `execute`, and any other request with the key of the product. */
function withActions(execute: typeof fetch): typeof fetch {
  return (url, init) => {
    const headers = { ...(init?.headers as object), authorization: `Bearer ${key}` };
    return String(url).includes('/actions/') ? execute(url, init) : fetch(url, { ...init, headers });
  };
}
