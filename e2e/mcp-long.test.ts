// Shapes: local; in full: processes
import { type AgentServer, call } from './support/agents.js';
import { eventually } from './support/eventually.js';
import { type GithubAgent, githubAgent } from './support/github-agent.js';
import { shared } from './support/shared.js';

let at: GithubAgent;
let server: AgentServer;

beforeAll(async () => {
  at = await githubAgent();
  ({ server } = at);
});
afterEach(() => at.github.reset());
afterAll(() => at.github.stop());

describe('a long result', () => {
  it('is returned in parts', async () => {
    const long = 'ab€😀'.repeat(50_000);
    at.github.on('*', { body: [{ sha: 'x', commit: { message: long } }] });
    const args = { repo: 'acme/app' };
    let result = await call(server, 'gh__list_commits', args);
    let text = '';
    for (;;) {
      const { part, continuation } = result.structuredContent;
      text += part;
      if (!continuation) break;
      expect(continuation).toMatchObject({
        tool: 'svc_continue',
        arguments: { tool: 'gh__list_commits', arguments: args },
      });
      result = await call(server, continuation.tool, continuation.arguments);
    }
    expect(text).toContain(long.slice(0, 1_000));
    expect(JSON.parse(text)).toHaveProperty('items');
    if (shared().baseUrls.length === 1) expect(at.github.requests).toHaveLength(1);
  });

  it('is never repeated to continue a write without its idempotency key', async () => {
    const args = { tool: 'gh__create_issue', arguments: { repo: 'acme/app', title: 'Broken' }, offset: 100_000 };
    const { isError, structuredContent } = await call(server, 'svc_continue', args);
    expect({ isError, code: structuredContent.code }).toEqual({ isError: true, code: 'VALIDATION_ERROR' });
    expect(structuredContent.details.fields).toHaveProperty('idempotencyKey');
    expect(at.github.requests).toHaveLength(0);
  });
});

describe('a slow call', () => {
  const stream = async (signal?: AbortSignal): Promise<Response> =>
    fetch(server.baseUrl + server.path, {
      ...{ method: 'POST', signal },
      headers: {
        ...{ authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 'long', method: 'tools/call' },
        params: { name: 'gh__list_commits', arguments: { repo: 'acme/app' }, _meta: { progressToken: 'p' } },
      }),
    });

  it('sends progress where the client requests it, and then the result', async () => {
    let release = (): void => undefined;
    at.github.on('*', { body: [], until: new Promise<void>((resolve) => (release = resolve)) });
    const response = await stream();
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader.read()).value ?? '';
    expect(JSON.parse(first.split('data: ')[1]!)).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p' },
    });
    release();
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) rest += next.value;
    expect(JSON.parse(rest.split('data: ').at(-1)!)).toMatchObject({
      id: 'long',
      result: { structuredContent: { items: [] } },
    });
  });

  it('is canceled at the provider when the client of a read disconnects', async () => {
    at.github.on('*', { hang: true });
    const leave = new AbortController();
    const left = stream(leave.signal).catch(() => 'left');
    await at.github.received();
    leave.abort();
    expect(await left).toBe('left');
    const path = `/api/v1/executions?workspaceId=${at.own.workspaceId}&limit=1`;
    await eventually(async () => {
      const [last] = (await at.api.get(path)).body.executions;
      expect(last).toMatchObject({ actionName: 'list_commits', status: 'failed' });
    });
  });
});
