// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { provider } from './support/provider.js';

const EXECUTE = '/api/v1/actions/execute';
const MIB = 1024 * 1024;
/** The nesting levels that the http integration adds around a response body. */
const OWN_LEVELS = 1;
const MOST_LEVELS = 64;

const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('the response of a provider', () => {
  let product: Drawbridge;
  let thirdParty: FakeProvider;
  let workspaceId: string;
  let connections = 0;

  beforeAll(async () => {
    product = await drawbridge();
    thirdParty = await provider();
    const made = await product.api.post('/api/v1/workspaces', { name: 'Outputs', slug: 'outputs' });
    workspaceId = made.body.workspace.id;
  });
  afterAll(() => thirdParty.stop());

  /** Creates a connection. Returns its externalId. */
  async function connect(credential: object): Promise<string> {
    const externalId = `outputs-${(connections += 1)}`;
    const body = { integrationName: 'http', externalId, displayName: 'Outputs', ...credential };
    expect((await product.api.post('/api/v1/connections', body)).status).toBe(201);
    return externalId;
  }

  function call(more: object = {}, url = 'https://api.example.com/'): Promise<Answer> {
    const input = { method: 'GET', url };
    return product.api.post(EXECUTE, {
      integrationName: 'http',
      actionName: 'send_request',
      workspaceId,
      input,
      ...more,
    });
  }

  function answer(body: unknown, more: object = {}): Promise<Answer> {
    const type = { 'content-type': 'application/json' };
    thirdParty.on('*', { headers: type, body: typeof body === 'string' ? body : JSON.stringify(body) });
    return call(more);
  }

  async function lastRun(): Promise<any> {
    const log = await product.api.get(`/api/v1/executions?workspaceId=${workspaceId}`);
    expect(log.status).toBe(200);
    return log.body.executions[0];
  }

  function expectTooLarge(answered: Answer): void {
    expectError(answered, 400, 'ACTION_FAILED');
    expect(answered.body.details).toMatchObject({ provider: { code: 'OUTPUT_TOO_LARGE' }, retryable: false });
  }

  it('may nest 64 levels deep, and is logged', async () => {
    const body = nested(MOST_LEVELS - OWN_LEVELS);
    const answered = await answer(body);
    expect(answered.body.output.body).toEqual(JSON.parse(body));
    expect((await lastRun()).output).toMatchObject({ truncated: true, preview: expect.stringContaining('"a":{') });
  });

  it.each([MOST_LEVELS - OWN_LEVELS + 1, 2_000, 100_000])(
    'fails the action at %i levels, and is logged',
    async (levels) => {
      const secretText = 'a-token-of-the-provider';
      for (const more of [{}, { connectionExternalId: await connect({ type: 'SECRET_TEXT', secretText }) }]) {
        expectTooLarge(await answer(nested(levels), { ...more, idempotencyKey: `${levels} ${Object.keys(more)}` }));
        expect(await lastRun()).toMatchObject({
          status: 'failed',
          error: { details: { retryable: false } },
          output: null,
        });
      }
    },
  );

  it.each(['a-token-of-the-provider', undefined])(
    'may have 8 MiB in total, not a byte more (token: %s)',
    async (secretText) => {
      const more = secretText ? { connectionExternalId: await connect({ type: 'SECRET_TEXT', secretText }) } : {};
      const around = Buffer.byteLength(JSON.stringify((await answer('""', more)).body.output));
      const answered = await answer(JSON.stringify('x'.repeat(8 * MIB - around)), more);
      expect(answered.body.output.body).toHaveLength(8 * MIB - around);
      expect(await lastRun()).toMatchObject({ status: 'success', output: { truncated: true } });
      expectTooLarge(await answer(JSON.stringify('x'.repeat(8 * MIB - around + 1)), more));
      expect(await lastRun()).toMatchObject({ status: 'failed' });
    },
  );

  it('may have any number of keys', async () => {
    const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index]));
    expect((await answer(body)).body.output.body).toEqual(body);
    expect((await lastRun()).output.truncated).toBe(true);
  });

  it('may contain NUL, lone surrogates and property names of objects', async () => {
    const body = '{"__proto__":{"a":1},"constructor":2,"nul":"a\\u0000b","lone":"a\\ud83db","":3}';
    const answered = await answer(body);
    expect(answered.status).toBe(200);
    expect(answered.body.output.body).toMatchObject({ nul: 'a\0b', '': 3 });
    expect((await lastRun()).status).toBe('success');
  });

  it('is the same in a replay of its idempotency key', async () => {
    const body = { text: 'x'.repeat(100_000), list: [{}, [], null, -1.5, 'ü\u2028"\\'] };
    const first = await answer(body, { idempotencyKey: 'outputs again' });
    expect(first.body.output.body).toEqual(body);
    expect((await answer({}, { idempotencyKey: 'outputs again' })).body).toEqual(first.body);
  });

  describe('to a call with a credential', () => {
    it.each([
      ['the letters of the redaction mark', { props: { a: 'r', b: 'e', c: 'd', d: 'a', e: 'c', f: 't' } }],
      ['a short prop', { props: { 'x-region': 'eu', 'x-version': 'v2.1.0' } }],
    ])('keeps text that only resembles a secret: %s', async (_what, credential) => {
      const connectionExternalId = await connect({ type: 'CUSTOM_AUTH', ...credential });
      const body = { queue: 'redacted reacted eu', europe: 'v2.1.0' };
      expect((await answer(body, { connectionExternalId })).body.output.body).toEqual(body);
    });

    it.each([
      'provider',
      'status',
      'body',
      'headers',
      'details',
      'message',
      'retryable',
      'ACTION_FAILED',
      '[redacted]',
    ])('keeps its structure readable when the secret is %s', async (secretText) => {
      const connectionExternalId = await connect({ type: 'SECRET_TEXT', secretText });
      const answered = await answer({ [secretText]: `a ${secretText} b` }, { connectionExternalId });
      expect(Object.keys(answered.body.output)).toEqual(['status', 'headers', 'body']);
      expect(JSON.stringify(answered.body.output.body)).toContain(': "a [redacted] b"'.replace(' ', ''));
      thirdParty.on('*', { status: 500, body: { message: `the ${secretText}` } });
      const failed = await call({ connectionExternalId });
      expectError(failed, 400, 'ACTION_FAILED');
      expect(failed.body.details).toMatchObject({
        provider: { status: 500, message: 'the [redacted]' },
        retryable: true,
      });
    });

    it('has 2,000 echoes of 60 secrets redacted, and only those', async () => {
      const props = Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`x-${index}`, `secret-${index}-${'x'.repeat(80)}`]),
      );
      const connectionExternalId = await connect({ type: 'CUSTOM_AUTH', props });
      const texts = Array.from({ length: 2_000 }, (_, index) => `a ${props[`x-${index % 60}`]} b`);
      const { output } = (await answer(texts, { connectionExternalId })).body;
      expect(new Set(output.body)).toEqual(new Set(['a [redacted] b']));
    });
  });

  it('has tokens in URLs redacted in the run log', async () => {
    thirdParty.on('*', { body: { next: 'https://files.example.com/a?X-Amz-Security-Token=abcdef&page=2' } });
    await call({}, 'https://api.example.com/a?page=1&access_token=abcdef');
    const run = await lastRun();
    expect(run.input.url).toBe('https://api.example.com/a?page=1&access_token=[redacted]');
    expect(run.output.body.next).toBe('https://files.example.com/a?X-Amz-Security-Token=[redacted]&page=2');
  });
});
