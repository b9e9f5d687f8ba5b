import { Drawbridge } from '../client.js';
import { type Reply, testServer, type TestServer } from '../testing/server.js';
import { type Command } from './command.js';
import { connect } from './connect.js';
import { readFlags } from './flags.js';
import { Output } from './output.js';
import { run } from './run.js';

const WORKSPACE = ['--workspace', '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37'];

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.stop());

/** Runs a command. Its requests receive the replies in order. Returns its output and its error. */
async function ran(command: Command, args: string[], ...replies: Reply[]) {
  server.reply(...replies);
  const texts = { stdout: '', stderr: '' };
  const to = (name: keyof typeof texts) => ({
    write: (text: string) => Boolean((texts[name] += text)),
    isTTY: false as const,
  });
  const { positionals, flags } = command.readsFlags
    ? { positionals: args, flags: new Map() }
    : readFlags(args, command.flags);
  const call = {
    command,
    args: positionals,
    flags,
    env: {},
    output: new Output({ stdout: to('stdout') as never, stderr: to('stderr') as never, env: {}, isJson: true }),
    signal: new AbortController().signal,
    client: async () => new Drawbridge({ baseUrl: server.url, maxRetries: 0 }),
  };
  const error = await command.run(call).then(
    () => undefined,
    (thrown: Error) => thrown.name,
  );
  return { ...texts, error };
}

const refusal = (status: number, code: string): Reply => ({ status, body: { error: 'No', code, details: {} } });

describe('connect', () => {
  const session = { body: { connectUrl: 'https://x/connect', token: 't', expiresAt: '2030-01-01T00:00:00.000Z' } };
  const outcome = (status: string): Reply => ({
    body: { status, integrationName: 'github', externalId: 'gh', connectionId: 'c1' },
  });
  const connecting = (...polls: Reply[]) => ran(connect, ['github', '--no-open', ...WORKSPACE], session, ...polls);

  it.each<[string, Reply]>([
    ['a connection that ends early', { kind: 'breaks' }],
    ['a server that restarts', { status: 502, text: '<html>' }],
    ['a rate limit', refusal(429, 'RATE_LIMITED')],
  ])('continues to wait after %s', async (_, failure) => {
    const { error, stdout, stderr } = await connecting(failure, outcome('COMPLETED'));
    expect([error, JSON.parse(stdout)]).toEqual([undefined, expect.objectContaining({ connectionId: 'c1' })]);
    expect(stderr).toContain('Trying again');
  });

  it('ends if the server refuses', async () => {
    const { error } = await connecting(refusal(401, 'UNAUTHENTICATED'), outcome('COMPLETED'));
    expect(error).toBe('UnauthenticatedError');
  });
});

describe('run, after it asked for an approval', () => {
  const integration = {
    body: { integration: { name: 'our-erp', actions: { book: { name: 'book', displayName: 'Book', props: {} } } } },
  };
  const approval = {
    id: 'apr_1',
    hostedApprovalUrl: 'https://x/approvals/apr_1',
    expiresAt: '2030-01-01T00:00:00.000Z',
    retry: { idempotencyKey: 'key-1' },
  };
  const required = { status: 202, body: { success: false, status: 'approval_required', approval } };
  const shown = (status: string): Reply => ({ body: { approval: { id: 'apr_1', status } } });
  const running = (...replies: Reply[]) => ran(run, ['our-erp.book', ...WORKSPACE], integration, required, ...replies);

  it.each<[string, Reply[]]>([
    ['the connection ends while it waits', [{ kind: 'breaks' }]],
    ['the server is away while it waits', [refusal(503, 'UNAVAILABLE')]],
    ['the key is refused while it waits', [refusal(401, 'UNAUTHENTICATED')]],
    ['the connection ends while the action runs', [shown('approved'), { kind: 'breaks' }]],
    ['a connection is missing when the action runs', [shown('approved'), refusal(400, 'CONNECTION_REQUIRED')]],
  ])('says how to continue if %s', async (_, replies) => {
    const { error, stderr } = await running(...replies);
    expect(error).toMatch(/Error$/);
    expect(stderr).toContain('--idempotency-key key-1');
  });

  it.each<[string, Reply[]]>([
    ['the approval is rejected', [shown('rejected')]],
    ['the action failed', [shown('approved'), refusal(400, 'ACTION_FAILED')]],
  ])('says nothing about it if %s', async (_, replies) => {
    const { error, stderr } = await running(...replies);
    expect(error).toMatch(/Error$/);
    expect(stderr).not.toContain('--idempotency-key');
  });
});
