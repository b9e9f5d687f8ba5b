// Shapes: local; in full: processes
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';
import { shared } from './support/shared.js';

const EXECUTE = '/api/v1/actions/execute';
let made = 0;
const newKey = (): string => `key-${process.pid}-${++made}`;

describe('an idempotency key', () => {
  let product: Drawbridge;
  let github: FakeProvider;
  let workspace: GithubWorkspace;

  beforeAll(async () => {
    product = await drawbridge();
    github = await provider();
    workspace = await githubWorkspace(product.api);
  });
  afterEach(() => github.reset());
  afterAll(() => github.stop());

  const execute = (changes: object, headers?: Record<string, string>): Promise<Answer> =>
    product.api.post(EXECUTE, { ...workspace.createIssue, ...changes }, headers);

  it('returns the stored response to a repeated call, marked as replayed', async () => {
    const idempotencyKey = newKey();
    const first = await execute({ idempotencyKey });
    const second = await execute({ idempotencyKey });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(github.requests).toHaveLength(1);
  });

  it('stores a failure, too', async () => {
    github.on('*', { status: 422, body: { message: 'no' } });
    const idempotencyKey = newKey();
    const first = await execute({ idempotencyKey });
    github.on('*', { status: 201, body: {} });
    const second = await execute({ idempotencyKey });
    expectError(second, 400, 'ACTION_FAILED');
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(github.requests).toHaveLength(1);
  });

  it('stores no validation error', async () => {
    const idempotencyKey = newKey();
    expectInvalid(await execute({ idempotencyKey, input: {} }), 'input.repo', 'input.title');
    expect((await execute({ idempotencyKey })).status).toBe(200);
  });

  it('is refused with a different request', async () => {
    const idempotencyKey = newKey();
    await execute({ idempotencyKey });
    expectInvalid(await execute({ idempotencyKey, input: { repo: 'acme/app', title: 'Other' } }), 'idempotencyKey');
    expect(github.requests).toHaveLength(1);
  });

  it('compares normalized requests: UUIDs are case-insensitive', async () => {
    const idempotencyKey = newKey();
    await execute({ idempotencyKey });
    const { workspaceId } = workspace.createIssue;
    const repeated = await execute({ idempotencyKey, workspaceId: workspaceId.toUpperCase() });
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(github.requests).toHaveLength(1);
  });

  it('is accepted in the body or in either header, but must be unambiguous', async () => {
    const key = newKey();
    await execute({ idempotencyKey: key });
    for (const header of ['Idempotency-Key', 'X-Idempotency-Key']) {
      expect((await execute({}, { [header]: key })).headers.get('idempotent-replayed')).toBe('true');
    }
    expectInvalid(await execute({ idempotencyKey: key }, { 'Idempotency-Key': newKey() }), 'idempotencyKey');
    expectInvalid(await execute({}, { 'Idempotency-Key': 'x'.repeat(256) }), 'idempotencyKey');
    expect((await execute({}, { 'Idempotency-Key': 'x'.repeat(255) })).status).toBe(200);
  });

  it('is separate for each organization', async () => {
    const idempotencyKey = newKey();
    await execute({ idempotencyKey });
    const theirs = await githubWorkspace(product.other);
    const answer = await product.other.post(EXECUTE, { ...theirs.createIssue, idempotencyKey });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
  });

  it('sends one of 100 racing calls at all gateways to the provider, and all receive the same response', async () => {
    let number = 0;
    github.on('*', () => ({ status: 201, body: { number: ++number }, delay: 300 }));
    const idempotencyKey = newKey();
    const gateways = product.baseUrls.map((baseUrl) => apiOf(baseUrl, product.key));
    const calls = Array.from({ length: 100 }, (_, index) =>
      gateways[index % gateways.length]!.post(EXECUTE, { ...workspace.createIssue, idempotencyKey }),
    );
    const answers = await Promise.all(calls);
    expect(github.requests).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  });

  // The wait takes 30 s. All-in-one products and separate services use the same code for it, so testing one of them is sufficient.
  if (shared().shape === 'local') {
    it('blocks a repeated call while the first one runs, and answers in_progress after 30 s', async () => {
      let release = (): void => undefined;
      github.on('*', { body: {}, until: new Promise<void>((resolve) => (release = resolve)) });
      const { workspaceId } = workspace;
      const input = { method: 'GET', url: 'https://api.example.com/slow', timeoutSeconds: 59 };
      const call = {
        integrationName: 'http',
        actionName: 'send_request',
        workspaceId,
        input,
        idempotencyKey: newKey(),
      };
      const first = product.api.post(EXECUTE, call);
      await github.received();
      const second = await product.api.post(EXECUTE, call);
      expectError(second, 409, 'DUPLICATE');
      expect(second.body.details.reason).toBe('in_progress');
      expect(second.headers.get('retry-after')).toMatch(/^\d+$/);
      release();
      expect((await first).status).toBe(200);
      expect((await product.api.post(EXECUTE, call)).headers.get('idempotent-replayed')).toBe('true');
    });
  }
});
