// Shapes: local, kafka, processes
import { type FakeProvider } from '@drawbridge/testkit';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { TIMESTAMP, UUID_V7 } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';

describe('the first call', () => {
  let product: Drawbridge;
  let github: FakeProvider;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
  });
  afterAll(() => github.stop());

  it('sends a real request to the provider with the credential, and writes the run log and the event', async () => {
    const { api } = product;
    github.on('POST /repos/acme/app/issues', { status: 201, body: { number: 7, title: 'Broken', state: 'open' } });
    const { createIssue, workspaceId, connectionId, secret } = await githubWorkspace(api);

    const answer = await api.post('/api/v1/actions/execute', createIssue);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      output: expect.objectContaining({ number: 7, title: 'Broken' }),
      duration: expect.any(Number),
    });
    expect(github.requests).toHaveLength(1);
    const [request] = github.requests;
    expect(request?.headers['authorization']).toBe(`Bearer ${secret}`);
    expect(request?.body).toEqual({ title: 'Broken', body: 'It is broken.' });

    const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspaceId}`)).body;
    expect(executions).toEqual([
      {
        id: expect.stringMatching(UUID_V7),
        orgId: product.orgId,
        source: 'rest',
        integrationName: 'github',
        integrationAlias: 'gh',
        actionName: 'create_issue',
        workspaceId,
        endUserId: null,
        connectionId,
        status: 'success',
        durationMs: answer.body.duration,
        error: null,
        approvalId: null,
        input: createIssue.input,
        output: answer.body.output,
        console: [],
        createdAt: expect.stringMatching(TIMESTAMP),
      },
    ]);

    // The members service counts usage when it consumes the event of the run, so the count proves that the event arrived.
    await eventually(async () => {
      expect((await api.get('/api/v1/organization')).body.usage.actionsThisMonth).toBe(1);
    });
  });

  it('records the source of a call', async () => {
    const { api } = product;
    const { createIssue, workspaceId } = await githubWorkspace(api);
    for (const source of ['sdk', 'playground', 'mcp_tools', 'anything']) {
      await api.post('/api/v1/actions/execute', createIssue, { 'x-svc-source': source });
    }
    const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspaceId}`)).body;
    expect(executions.map(({ source }: { source: string }) => source)).toEqual(['rest', 'rest', 'playground', 'sdk']);
  });
});
