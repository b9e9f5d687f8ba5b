// Shapes: local
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type DockerEngine, hasDocker, type Product, startDocker } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { newPolicy } from './support/approvals.js';
import { newOrganization } from './support/organizations.js';
import { expectError, expectInvalid } from './support/expect.js';
import { eventually } from './support/eventually.js';
import { ownProduct } from './support/own-product.js';
import { itRunsPrograms } from './support/program-cases.js';
import { newPrograms, type Programs } from './support/programs.js';
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

/** Returns an address at which a container with a network reaches this machine. */
function addressOfMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((list = []) => list);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

function onDocker(): void {
  let engine: DockerEngine;
  let product: Product;
  let programs: Programs;
  let listener: Server;
  let control: string;

  beforeAll(async () => {
    listener = createServer((_, response) => void response.end('reached')).listen(0);
    await once(listener, 'listening');
    control = `http://${addressOfMachine()}:${(listener.address() as AddressInfo).port}`;
    engine = await startDocker();
    // The test engine creates no network by itself.
    await docker('network', 'create', '--internal', 'outside');
    product = await ownProduct({ env: { DOCKER_HOST: engine.host, SANDBOX_NETWORK: 'outside' } });
    programs = await newPrograms(product);
  });
  afterAll(async () => {
    listener?.close();
    await product?.stop();
    await engine?.stop();
  });

  const docker = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('docker', ['-H', engine.host, ...args])).stdout;

  itRunsPrograms(() => programs, { startSeconds: 2, isOneProcess: true, interfaces: 0, control: () => control });

  it('leaves no container of a killed service', async () => {
    const integration = await programs.configured({ timeoutSeconds: 120 });
    const lost = programs.run('sleep 100', { integration }).catch(() => undefined);
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
    expect((await programs.output('echo again')).stdout).toBe('again\n');
  });
}
