// Shapes: local
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid } from './support/expect.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

const EXECUTE = '/api/v1/actions/execute';

let product: Drawbridge;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  workspaceId = await newWorkspace(product.api);
});

const run = (input: object) =>
  product.api.post(EXECUTE, { integrationName: 'code', actionName: 'run', workspaceId, input });

it('runs code and returns its value, console and duration', async () => {
  const code = 'const sum: number = input.numbers.reduce((a, b) => a + b); console.log("sum", sum); return { sum };';
  const { status, body } = await run({ code, input: { numbers: [1, 2, 3] } });
  expect(status).toBe(200);
  expect(body.output).toEqual({
    value: { sum: 6 },
    console: [{ level: 'log', text: 'sum 6' }],
    duration: expect.any(Number),
  });
});

it.each([
  ['return 1 +', { code: 'SYNTAX_ERROR', line: 1, column: 11 }],
  [
    'console.warn("before");\n null.x',
    { code: 'RUNTIME_ERROR', line: 2, column: 2, console: [{ level: 'warn', text: 'before' }] },
  ],
  ['while (true);', { code: 'TIMEOUT' }],
  ['for (const all = []; ;) all.push("x".repeat(1e6) + all.length)', { code: 'MEMORY_LIMIT', line: 1 }],
  ['return "x".repeat(8e6)', { code: 'OUTPUT_TOO_LARGE' }],
])('answers where %j failed, and why', async (code, provider) => {
  const answer = await run({ code });
  expectError(answer, 400, 'ACTION_FAILED');
  expect(answer.body.details).toMatchObject({ provider: { status: null, ...provider }, retryable: false });
});

it('hides the server from code', async () => {
  const code =
    'return [typeof process, typeof require, typeof fetch, input.constructor.constructor("return typeof process")()];';
  const { body } = await run({ code, input: {} });
  expect(body.output.value).toEqual(['undefined', 'undefined', 'undefined', 'undefined']);
});

it('requires code', async () => expectInvalid(await run({}), 'input.code'));

describe('fetch', () => {
  const CODE = `try {
    const response = await fetch(input.url);
    return [response.status, await response.text()];
  } catch ({ message, code }) {
    return { message, code };
  }`;
  const fetchWith = async (settings: object, url: string) => {
    const workspace = await newWorkspace(product.api);
    await newIntegration(product.api, workspace, { integrationName: 'code', alias: 'code', settings });
    const input = { code: CODE, input: { url } };
    const { body } = await product.api.post(EXECUTE, {
      integrationName: 'code',
      actionName: 'run',
      workspaceId: workspace,
      input,
    });
    return body.output.value;
  };

  it('does not exist unless the settings allow it', async () => {
    for (const settings of [{}, { code: {} }, { code: { fetch: false } }]) {
      expect(await fetchWith(settings, 'https://api.example.com')).toEqual({ message: expect.stringMatching(/fetch/) });
    }
  });

  it.each([
    ['http://10.0.0.1/', 'EGRESS_DENIED'],
    ['http://169.254.169.254/latest/meta-data/', 'EGRESS_DENIED'],
    ['http://[::1]:5432/', 'EGRESS_DENIED'],
    ['file:///etc/passwd', 'INVALID_URL'],
  ])('refuses %s as egress does', async (url, code) => {
    expect(await fetchWith({ code: { fetch: true } }, url)).toMatchObject({ code });
  });

  it('refuses the gateway itself', async () => {
    expect(await fetchWith({ code: { fetch: true } }, `${product.baseUrl}/healthz`)).toMatchObject({
      code: 'EGRESS_DENIED',
    });
  });

  it('needs a boolean', async () => {
    const path = `/api/v1/workspaces/${workspaceId}/integrations`;
    const body = { integrationName: 'code', alias: 'wrong', settings: { code: { fetch: 'yes', other: 1 } } };
    expectInvalid(await product.api.post(path, body), 'settings.code.fetch', 'settings.code.other');
  });
});

it('refuses runs beyond the queue of an organization with 429, and runs them later', async () => {
  const code = 'let sum = 0; for (let at = 0; at < 1e6; at++) sum += at; return sum';
  // Exceeds the number of runs that two execution services can run and queue.
  const answers = await Promise.all(Array.from({ length: 160 }, () => run({ code })));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) {
    expectError(answer, 429, 'RATE_LIMITED');
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  expect((await run({ code })).status).toBe(200);
});

it('counts as code for policies', async () => {
  const policy = {
    workspaceId,
    name: 'no code',
    decision: 'block',
    rules: { actionCategories: ['code'] },
    riskMode: 'rules',
  };
  const made = await product.api.post('/api/v1/approval-policies', policy);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  expectError(await run({ code: 'return 1' }), 403, 'FORBIDDEN');
});
