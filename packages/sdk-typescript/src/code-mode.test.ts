import { Drawbridge } from './client.js';
import { CodeRunError } from './code-mode.js';
import { testServer, type TestServer } from './testing/server.js';

let server: TestServer;
let client: Drawbridge;
beforeAll(async () => {
  server = await testServer();
  client = new Drawbridge({ baseUrl: server.url });
});
afterAll(() => server.stop());

const ended = (...texts: string[]): object => ({
  body: { content: texts.map((text) => ({ type: 'text', text })), isError: false },
});
const paused = (status: string, id: string): object => ({
  body: {
    content: [{ type: 'text', text: 'A person must approve this run first.' }],
    isError: false,
    structuredContent: {
      status,
      approval: { id, hostedApprovalUrl: `https://drawbridge.example/approvals/${id}` },
      continuation: { tool: 'svc_execute', arguments: { approvalId: id } },
    },
  },
});

describe('runCode', () => {
  it('returns the value of a program, and its console', async () => {
    server.reply(ended('{"number":8}', 'log: made'));
    expect(await client.runCode('s1', 'return 8')).toEqual({ value: { number: 8 }, notes: ['log: made'] });
    expect(server.received[0]).toMatchObject({
      path: '/api/v1/mcp/servers/s1/execute-code',
      body: { code: 'return 8' },
    });
  });

  it.each([
    ['"truncat…', '"truncat…'],
    ['The program returned nothing.', undefined],
    ['"The program returned nothing."', 'The program returned nothing.'],
  ])('returns %j as %j', async (text, value) => {
    server.reply(ended(text));
    expect((await client.runCode('s1', 'code')).value).toBe(value);
  });

  it('shows each approval once, and continues without sending the code again', async () => {
    server.reply(
      paused('approval_required', 'apr_1'),
      paused('approval_pending', 'apr_1'),
      paused('approval_pending', 'apr_2'),
      ended('1'),
    );
    const shown: unknown[] = [];
    const result = await client.runCode('s1', 'code', { onApprovalRequired: ({ id }) => void shown.push(id) });
    expect([result.value, shown]).toEqual([1, ['apr_1', 'apr_2']]);
    expect(server.received.slice(1).map(({ body }) => body)).toEqual([
      ...['apr_1', 'apr_1', 'apr_2'].map((approvalId) => ({ approvalId, waitForApprovalSeconds: 55 })),
    ]);
  });

  it('fails with the code and the line of the error', async () => {
    const details = { line: 3 };
    server.reply({
      body: {
        content: [{ type: 'text', text: 'Error: no' }],
        isError: true,
        structuredContent: { error: 'Error: no', code: 'RUNTIME_ERROR', details },
      },
    });
    const error = await client.runCode('s1', 'code').catch((thrown: unknown) => thrown);
    expect(error).toEqual(new CodeRunError('Error: no', 'RUNTIME_ERROR', details));
    expect(error).toMatchObject({ code: 'RUNTIME_ERROR', details });
  });
});
