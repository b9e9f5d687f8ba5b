// The tools in the real frameworks. e2e/sdk-typescript-agents.test.ts runs whole agents with the product.
import { RunContext } from '@openai/agents';
import { tools as aiSdkTools, type ToolOptions } from './ai-sdk.js';
import { Drawbridge } from './client.js';
import { tools as langChainTools } from './langchain.js';
import { tools as openAiAgentsTools } from './openai-agents.js';
import { testServer, type TestServer } from './testing/server.js';

type OwnCatalog = Record<string, Record<string, object>>;

interface MadeTool {
  name: string;
  description?: string;
  schema: unknown;
  /** Calls the tool as the framework does. */
  call(input: object, signal?: AbortSignal): Promise<unknown>;
}

type Make = (client: Drawbridge<OwnCatalog>, options: ToolOptions<OwnCatalog>) => Promise<MadeTool>;

const FRAMEWORKS: [string, Make][] = [
  [
    'the Vercel AI SDK',
    async (client, options) => {
      const [[name, tool]] = Object.entries(await aiSdkTools(client, options)) as [[string, any]];
      const { jsonSchema: schema } = tool.inputSchema;
      const call: MadeTool['call'] = async (input, abortSignal) =>
        tool.execute(input, { toolCallId: '1', messages: [], abortSignal });
      return { name, description: tool.description, schema, call };
    },
  ],
  [
    'LangChain',
    async (client, options) => {
      const [tool] = await langChainTools(client, options);
      const { name, description, schema } = tool!;
      return { name, description, schema, call: (input, signal) => tool!.invoke(input as never, { signal }) };
    },
  ],
  [
    'OpenAI Agents',
    async (client, options) => {
      const [tool] = await openAiAgentsTools(client, options);
      const { name, description, parameters: schema } = tool!;
      const call: MadeTool['call'] = (input, signal) =>
        tool!.invoke(new RunContext(), JSON.stringify(input), { signal });
      return { name, description, schema, call };
    },
  ],
];

const text = (more: object): object => ({
  ...{ type: 'SHORT_TEXT', displayName: 'Text', description: '', refreshers: [], options: [] },
  ...more,
});
const OUTPUT = { type: 'image', text: 'Grüße' };

let server: TestServer;
let client: Drawbridge<OwnCatalog>;
beforeAll(async () => {
  server = await testServer();
  client = new Drawbridge({ baseUrl: server.url, workspaceId: 'w', maxRetries: 0 });
});
beforeEach(() => {
  const props = { a: text({ required: true }), b: text({ required: false }) };
  const actions = { book: { name: 'book', description: 'Books.', props } };
  server.reply({ body: { integrations: [{ name: 'erp', displayName: 'ERP', actions }], total: 1, registered: [] } });
});
afterAll(() => server.stop());

describe.each(FRAMEWORKS)('a tool of %s', (framework, make) => {
  it('has the name, the description and the schema of its action', async () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'string' } } };
    expect(await make(client, { actions: ['erp.book'] })).toMatchObject({
      name: 'erp_book',
      description: 'Books.',
      schema,
    });
  });

  it('runs its action', async () => {
    const { call } = await make(client, { actions: ['erp.book'] });
    server.reply({ body: { success: true, output: OUTPUT, duration: 1 } });
    expect(await call({ a: '1' })).toEqual(framework === 'the Vercel AI SDK' ? OUTPUT : JSON.stringify(OUTPUT));
    expect(server.received[0]!.body).toMatchObject({ actionName: 'book', input: { a: '1' } });
  });

  it('passes the text for the model as it is', async () => {
    const { call } = await make(client, { actions: ['erp.book'] });
    server.reply({ status: 400, body: { error: 'No', code: 'ACTION_FAILED', details: { retryable: true } } });
    expect(await call({ a: '1' })).toBe('erp_book failed: No. Try again later.');
  });

  it('throws the errors of the program', async () => {
    const { call } = await make(client, { actions: ['erp.book'] });
    server.reply({ status: 401, body: { error: 'No', code: 'UNAUTHENTICATED', details: {} } });
    await expect(call({ a: '1' })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('ends its request when the run is aborted', async () => {
    let reason: unknown;
    const controller = new AbortController();
    const hangs: typeof fetch = (url, init) => {
      if (!String(url).includes('/actions/')) return fetch(url, init);
      const { signal } = init!;
      return new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject((reason = signal!.reason)));
        controller.abort(new Error('The user left'));
      });
    };
    const own = new Drawbridge<OwnCatalog>({ baseUrl: server.url, workspaceId: 'w', fetch: hangs, timeoutMs: 5_000 });
    const { call } = await make(own, { actions: ['erp.book'] });
    await expect(call({ a: '1' }, controller.signal)).rejects.toThrow();
    expect(reason).toMatchObject({ message: 'The user left' });
  });
});

it('gives a program of LangChain the output itself', async () => {
  const [tool] = await langChainTools(client, { actions: ['erp.book'] });
  server.reply({ body: { success: true, output: OUTPUT, duration: 1 } });
  const message = await tool!.invoke({ type: 'tool_call', id: '1', name: 'erp_book', args: { a: '1' } });
  expect(message).toMatchObject({ content: JSON.stringify(OUTPUT), artifact: OUTPUT });
});
