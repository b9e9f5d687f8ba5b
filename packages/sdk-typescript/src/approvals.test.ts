import { ApprovalDeclinedError } from './approvals.js';
import { Drawbridge } from './client.js';
import { testServer, type TestServer } from './testing/server.js';

let server: TestServer;
let client: Drawbridge;
beforeAll(async () => {
  server = await testServer();
  client = new Drawbridge({ baseUrl: server.url, workspaceId: 'w1' });
});
afterAll(() => server.stop());

const CALL = { integration: 'hash-encode', action: 'hash', input: { text: 'a', algorithm: 'md5' } } as const;
const required = (id: string, idempotencyKey: string): object => ({
  status: 202,
  body: { success: false, status: 'approval_required', approval: { id, retry: { idempotencyKey } } },
});
const approval = (status: string, more: object = {}): object => ({
  body: { approval: { id: 'apr_1', status, ...more } },
});
const ran = { body: { success: true, output: { result: '0c' }, duration: 1 } };

describe('executeWithApproval', () => {
  it('needs no approval where no policy does', async () => {
    server.reply(ran);
    expect(await client.executeWithApproval(CALL)).toEqual(ran.body);
    expect(server.received[0]!.body).toMatchObject({
      workspaceId: 'w1',
      integrationName: 'hash-encode',
      actionName: 'hash',
    });
  });

  it('waits, and sends the same call with the key of the approval; again if what was approved has changed', async () => {
    server.reply(
      required('apr_1', 'k1'),
      approval('pending'),
      approval('approved'),
      required('apr_2', 'k2'),
      approval('approved'),
      ran,
    );
    const shown: string[] = [];
    const options = { pollMs: 1, onApprovalRequired: ({ id }: { id: string }) => void shown.push(id) };
    expect(await client.executeWithApproval(CALL, options)).toEqual(ran.body);
    expect(shown).toEqual(['apr_1', 'apr_2']);
    const calls = server.received.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual([expect.any(String), 'k1', 'k2']);
    expect(new Set(calls.map(({ input }) => JSON.stringify(input))).size).toBe(1);
  });

  it.each(['rejected', 'canceled', 'expired'])('fails if the approval is %s', async (status) => {
    server.reply(required('apr_1', 'k1'), approval(status, { decisionReason: 'Too much' }));
    const error = await client.executeWithApproval(CALL).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApprovalDeclinedError);
    expect((error as Error).message).toBe(`Approval apr_1 is ${status}: Too much`);
    expect(server.received).toHaveLength(2);
  });
});

describe('waitForApproval', () => {
  it('ends with its signal', async () => {
    server.reply(approval('pending'));
    const signal = AbortSignal.timeout(30);
    await expect(client.waitForApproval('apr_1', { pollMs: 5, signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
