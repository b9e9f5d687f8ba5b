// Shapes: local
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DockerEngine, hasDocker, type Product, startDocker } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { newPolicy } from './support/approvals.js';
import { newOrganization } from './support/organizations.js';
import { expectError, expectInvalid } from './support/expect.js';
import { eventually } from './support/eventually.js';
import { ownProduct } from './support/own-product.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

const EXECUTE = '/api/v1/actions/execute';
const isWanted = hasDocker() || (process.env['REQUIRE'] ?? '').split(',').includes('docker');

describe('advanced code without an engine', () => {
  let product: Product;
  let api: Api;
  let workspaceId: string;

  beforeAll(async () => {
    product = await ownProduct({ env: { DOCKER_HOST: 'unix:///nowhere/docker.sock' } });
    api = apiOf(product.baseUrl, (await newOrganization(product.databaseUrl)).plainKey);
    workspaceId = await newWorkspace(api);
  });
  afterAll(() => product?.stop());

  const run = (integrationName: string, actionName: string, input: object): Promise<Answer> =>
    api.post(EXECUTE, { integrationName, actionName, workspaceId, input });

  it('says how to start one, and all else works', async () => {
    const answer = await run('advanced-code', 'run', { language: 'shell', code: 'true' });
    expectError(answer, 400, 'ACTION_FAILED');
    expect(answer.body.error).toMatch(
      /needs a Docker engine, and none answers \(ENOENT\).*apt-get install docker\.io.*DOCKER_HOST/,
    );
    expect(answer.body.details).toMatchObject({ provider: { code: 'UNAVAILABLE' }, retryable: true });
    expect(JSON.stringify(answer.body)).not.toContain('nowhere');
    expect(await run('hash-encode', 'hash', { text: 'a', algorithm: 'sha256' })).toMatchObject({ status: 200 });
    expect(await run('code', 'run', { code: 'return 1' })).toMatchObject({ status: 200 });
  });

  it('requires a known language and code', async () => {
    expectInvalid(await run('advanced-code', 'run', { language: 'ruby', code: 'x' }), 'input.language');
    expectInvalid(await run('advanced-code', 'run', { language: 'shell' }), 'input.code');
  });

  it('explains that a policy with host rules refuses a program with a network', async () => {
    const settings = { advancedCode: { network: true } };
    const { id } = await newIntegration(api, workspaceId, { integrationName: 'advanced-code', settings });
    await newPolicy(api, { workspaceId, rules: { domainDenylist: ['api.github.com'] }, decision: 'block' });
    const call = { integrationName: 'advanced-code', actionName: 'run', workspaceId, workspaceIntegrationId: id };
    const { body } = await api.post('/api/v1/actions/explain', {
      ...call,
      input: { language: 'shell', code: 'true' },
    });
    expect(body.refusal).toMatchObject({
      code: 'FORBIDDEN',
      error: expect.stringContaining('settings.advancedCode.network'),
    });
  });
});

const title = 'advanced code on a Docker engine';
if (isWanted) describe(title, onDocker);
else describe.skip(`${title} (to run it: apt-get install docker.io iptables debootstrap, as root)`, onDocker);

function onDocker(): void {
  let engine: DockerEngine;
  let product: Product;
  let api: Api;
  let other: Api;
  let workspaceId: string;
  /** A workspace without a configured integration, in which programs run with the defaults. */
  let plain: string;

  beforeAll(async () => {
    engine = await startDocker();
    // The test engine creates no network by itself.
    await docker('network', 'create', '--internal', 'outside');
    product = await ownProduct({ env: { DOCKER_HOST: engine.host, SANDBOX_NETWORK: 'outside' } });
    const made = await Promise.all([newOrganization(product.databaseUrl), newOrganization(product.databaseUrl)]);
    [api, other] = made.map(({ plainKey }) => apiOf(product.baseUrl, plainKey)) as [Api, Api];
    [workspaceId, plain] = [await newWorkspace(api), await newWorkspace(api)];
  }, 300_000);
  afterAll(async () => {
    await product?.stop();
    await engine?.stop();
  });

  const docker = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('docker', ['-H', engine.host, ...args])).stdout;

  interface Call {
    workspace?: string;
    integration?: string;
    endUserId?: string;
    language?: string;
    input?: unknown;
    by?: Api;
  }

  function run(code: string, call: Call = {}): Promise<Answer> {
    const { integration, endUserId, language = 'shell', input, by = api } = call;
    const { workspace = integration ? workspaceId : plain } = call;
    return by.post(EXECUTE, {
      ...{ integrationName: 'advanced-code', actionName: 'run', workspaceId: workspace, endUserId },
      workspaceIntegrationId: integration,
      input: { language, code, input },
    });
  }

  async function output(code: string, call: Call = {}): Promise<any> {
    const { status, body } = await run(code, call);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.output;
  }

  async function configured(advancedCode: object, workspace = workspaceId, by = api): Promise<string> {
    const body = { integrationName: 'advanced-code', settings: { advancedCode } };
    return (await newIntegration(by, workspace, body)).id;
  }

  it.each([
    ['javascript', 'console.log(input.a + 1); process.exitCode = 3'],
    ['python', 'import sys; print(input["a"] + 1); sys.exit(3)'],
    ['shell', 'jq ".a + 1"; exit 3'],
  ])('runs %s with its input', async (language, code) => {
    expect(await output(code, { language, input: { a: 1 } })).toEqual({
      ...{ stdout: '2\n', stderr: '', exitCode: 3, truncated: false, files: [], omittedFiles: 0 },
      duration: expect.any(Number),
    });
  });

  it.each([1, 5, 60])('ends a program between its limit of %i s and two seconds later', async (timeoutSeconds) => {
    const integration = await configured({ timeoutSeconds });
    const started = performance.now();
    const answer = await run('echo begun; while :; do :; done', { integration });
    const seconds = (performance.now() - started) / 1000;
    expectError(answer, 400, 'ACTION_FAILED');
    const provider = { code: 'TIMEOUT', console: [{ level: 'log', text: 'begun' }] };
    expect(answer.body.details).toMatchObject({ provider, retryable: false });
    expect(seconds).toBeGreaterThan(timeoutSeconds);
    expect(seconds).toBeLessThan(timeoutSeconds + 4); // includes the start of a container
  });

  it('has no network unless the settings allow it', async () => {
    const code =
      'curl -s -o /dev/null -w "%{http_code}" --max-time 3 http://127.0.0.1:1 http://198.51.100.1; env | grep -ci proxy; ip link 2>/dev/null | grep -c eth; true';
    expect((await output(code)).stdout).not.toContain('200');
    const integration = await configured({ network: true });
    const through = await output('curl -sS --max-time 10 http://127.0.0.1:1/', { integration });
    expect(through.stdout).toContain('egress proxy: EGRESS_DENIED');
  });

  it('refuses a program with a network to which a policy with host rules applies', async () => {
    const [integration, offline] = [await configured({ network: true }), await configured({})];
    await newPolicy(api, { workspaceId, rules: { domainDenylist: ['api.github.com'] }, decision: 'block' });
    const refused = await run('host=api.github; curl -s https://$host.com/', { integration });
    expectError(refused, 403, 'FORBIDDEN');
    expect(refused.body.error).toContain('settings.advancedCode.network');
    expect((await output('echo ok', { integration: offline })).stdout).toBe('ok\n');
  });

  it('returns created and changed files of a mount, and finds them in the next run', async () => {
    const integration = await configured({ storageMountScope: 'workspace' });
    const first = await output('echo 1 > a.txt; mkdir d; printf "\\0\\377" > d/b', { integration });
    expect(first.files).toEqual([
      { filename: 'a.txt', mimeType: 'text/plain', base64: 'MQo=' },
      { filename: 'd/b', mimeType: 'application/octet-stream', base64: 'AP8=' },
    ]);
    const second = await output('od -An -tx1 d/b; echo 2 >> a.txt; rm d/b; ls -d /tmp/*', { integration });
    expect(second.files).toMatchObject([{ filename: 'a.txt', base64: 'MQoyCg==' }]);
    expect(second.stdout).toBe(' 00 ff\n');
    expect((await output('find . -type f', { integration })).stdout).toBe('./a.txt\n');
  });

  it('separates the mounts of end users, workspaces, external ids and organizations while two runs race for each', async () => {
    const second = await newWorkspace(api);
    const foreign = await newWorkspace(other);
    const scopes: [string, Call][] = await Promise.all([
      ...(['u1', 'u2'] as const).map(async (endUserId): Promise<[string, Call]> => [
        endUserId,
        { integration: await configured({ storageMountScope: 'end_user' }), endUserId },
      ]),
      ...(['u1', 'e2'] as const).map(async (storageExternalId): Promise<[string, Call]> => [
        `external-${storageExternalId}`,
        { integration: await configured({ storageMountScope: 'external', storageExternalId }), endUserId: 'u1' },
      ]),
      configured({ storageMountScope: 'workspace' }, second).then((integration): [string, Call] => [
        'workspace',
        { workspace: second, integration },
      ]),
      configured({ storageMountScope: 'end_user' }, foreign, other).then((integration): [string, Call] => [
        'foreign',
        { workspace: foreign, integration, endUserId: 'u1', by: other },
      ]),
    ]);
    const write = (name: string, call: Call, n: number): Promise<unknown> =>
      output(`echo ${name} > ${name}-${n}; sleep 0.3`, call);
    await Promise.all(scopes.slice(0, 3).flatMap(([name, call]) => [write(name, call, 1), write(name, call, 2)]));
    await Promise.all(scopes.slice(3).flatMap(([name, call]) => [write(name, call, 1), write(name, call, 2)]));
    for (const [name, call] of scopes) expect((await output('ls', call)).stdout).toBe(`${name}-1\n${name}-2\n`);
    const endUser = await configured({ storageMountScope: 'end_user' });
    expectInvalid(await run('ls', { integration: endUser }), 'endUserId');
  }, 120_000);

  it('reuses a persistent environment for one end user only, and an ephemeral one never', async () => {
    const integration = await configured({ sandboxPersistence: 'persistent' });
    const twin = await configured({ sandboxPersistence: 'persistent' });
    const leave = 'echo mine > /tmp/left; echo ok';
    await output(leave, { integration, endUserId: 'u1' });
    const look = 'cat /tmp/left 2>/dev/null || echo nothing';
    expect((await output(look, { integration, endUserId: 'u1' })).stdout).toBe('mine\n');
    const strangers: Call[] = [
      { integration, endUserId: 'u2' },
      { integration },
      { integration: twin, endUserId: 'u1' },
    ];
    for (const call of [...strangers, { endUserId: 'u1' }]) expect((await output(look, call)).stdout).toBe('nothing\n');
    const ephemeral = await configured({});
    await output(leave, { integration: ephemeral });
    expect((await output(look, { integration: ephemeral })).stdout).toBe('nothing\n');
  }, 60_000);

  it('hides the environment and the files of the service from a program', async () => {
    const { stdout } = await output('env; cat /proc/1/environ; ls /var/run /run; id -u');
    expect(stdout).not.toMatch(/DATABASE_URL|INTERNAL_KEY|MASTER|docker\.sock/);
    expect(stdout).toContain('65534');
  });

  it('leaves no container of a killed service', async () => {
    const integration = await configured({ timeoutSeconds: 120 });
    const lost = run('sleep 100', { integration }).catch(() => undefined);
    const running = async (): Promise<string[]> => {
      const stdout = await docker('ps', '-aq', '--filter', 'label=drawbridge.sandbox.instance');
      return stdout.split('\n').filter(Boolean);
    };
    await eventually(async () => expect((await running()).length).toBeGreaterThan(0));
    await sleep(1_000);
    const name = 'execution' in product.processes() ? 'execution' : 'drawbridge';
    await product.kill(name);
    await product.restart(name);
    const restarted = performance.now();
    await eventually(async () => expect(await running()).toEqual([]), 30_000);
    expect(performance.now() - restarted).toBeLessThan(30_000);
    await lost;
    expect((await output('echo again')).stdout).toBe('again\n');
  }, 120_000);
}
