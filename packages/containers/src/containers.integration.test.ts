import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Containers } from './containers.js';
import { createContainers } from './containers.js';
import { dockerDriver } from './docker-driver.js';
import { LIMITS } from './limits.js';
import { describeWithDocker, type Engine, IMAGE, request, startEngine, until } from './testing/engine.js';

/** Less than the 10 s for which Docker waits by default when it stops a container. */
const LATE_SECONDS = 8;

describeWithDocker('containers on a Docker engine', () => {
  let engine: Engine;
  let containers: Containers;

  beforeAll(async () => {
    engine = await startEngine();
    containers = engine.containers('runs');
  });

  afterAll(() => engine?.stop());

  it.each([
    {
      language: 'javascript',
      code: "import { DateTime } from 'luxon'; console.log(input.n * 2, typeof DateTime.now);",
    },
    { language: 'python', code: 'import requests, yaml, lxml, bs4\nprint(input["n"] * 2, "function")' },
    { language: 'shell', code: 'echo "$(jq .n) function" | sed "s/21/42/"' },
  ] as const)('runs $language with its input and libraries', async ({ language, code }) => {
    const result = await containers.run(request({ language, code, input: { n: 21 } }));
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: '42 function\n', stderr: '', files: [] });
  });

  it.each([
    ['javascript', "process.stdout.write(require('fs').readFileSync(0, 'utf8'))"],
    ['python', 'import sys; sys.stdout.write(sys.stdin.read())'],
    ['shell', 'cat'],
  ] as const)('gives %s its input on standard input', async (language, code) => {
    const { stdout } = await containers.run(request({ language, code, input: { text: 'ä'.repeat(40_000) } }));
    expect(JSON.parse(stdout)).toEqual({ text: 'ä'.repeat(40_000) });
  });

  it('forwards the output of a long script before the script is read to its end', async () => {
    const code = `head -c 200000 /dev/zero | tr '\\0' x\n${'# a long script\n'.repeat(5_500)}echo end`;
    const result = await containers.run(request({ code }));
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, stdout: `${'x'.repeat(200_000)}end\n` });
  });

  it('returns exit code, error output and the line of an error', async () => {
    expect(await containers.run(request({ code: 'echo no >&2; exit 7' }))).toMatchObject({
      exitCode: 7,
      stderr: 'no\n',
    });
    const python = await containers.run(request({ language: 'python', code: 'x = 1\nraise ValueError(x)' }));
    expect(python).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('code.py", line 2') });
    expect(python.stderr).not.toContain('run.py');
    const js = await containers.run(request({ language: 'javascript', code: '\nlet let;' }));
    expect(js).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('code.mjs:2') });
  });

  it('has an image with a folder that programs cannot enter, in which Kubernetes mounts a writable file', async () => {
    const { stdout } = await containers.run(
      request({ code: 'stat -c "%a %u" /root; touch /root/termination-log 2>&1' }),
    );
    expect(stdout).toMatch(/^700 0\n.*Permission denied\n$/);
  });

  it('streams output while the code runs, and bounds it', async () => {
    const seen: { at: number; text: string }[] = [];
    const onOutput = ({ text }: { text: string }): void => void seen.push({ at: Date.now(), text });
    await containers.run(request({ code: 'echo one; sleep 4; echo two', onOutput }));
    expect(seen.map(({ text }) => text)).toEqual(['one\n', 'two\n']);
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(1_000);

    const long = await containers.run(request({ code: 'head -c 3000000 /dev/zero; head -c 10 /dev/zero >&2' }));
    expect([long.stdout.length, long.stderr.length, long.truncated]).toEqual([LIMITS.outputBytes, 10, true]);
  });

  it.each([1, 5])('ends code soon after its limit of %i s', async (timeoutSeconds) => {
    const run = request({ code: 'echo begun; while :; do :; done', timeoutSeconds, mount: { key: 'slow' } });
    const result = await containers.run(run);
    expect(result).toMatchObject({ outcome: 'timed_out', exitCode: null, stdout: 'begun\n', files: [] });
    expect(result.durationMs).toBeGreaterThanOrEqual(timeoutSeconds * 1000);
    expect(result.durationMs).toBeLessThan((timeoutSeconds + LATE_SECONDS) * 1000);
  });

  it('reports memory that ran out', async () => {
    const code = 'x = bytearray(10 ** 9)\nfor i in range(0, 10 ** 9, 4096): x[i] = 1';
    expect(await containers.run(request({ language: 'python', code }))).toMatchObject({ outcome: 'out_of_memory' });
  });

  it('ends a run that its caller cancels', async () => {
    const cancel = new AbortController();
    const run = containers.run(
      request({ code: 'echo begun; sleep 60', signal: cancel.signal, onOutput: () => cancel.abort() }),
    );
    await expect(run).rejects.toMatchObject({ code: 'CANCELLED' });
    await until(async () => (await engine.names()).length === 0);
  });

  it('refuses what is not a request', async () => {
    const run = (part: object) => containers.run(request(part));
    await expect(run({ timeoutSeconds: 301 })).rejects.toThrow('timeoutSeconds must be 1 to 300 (got 301)');
    await expect(run({ timeoutSeconds: 0.5 })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(run({ language: 'ruby' })).rejects.toThrow('got ruby');
    await expect(run({ code: 'x'.repeat(LIMITS.codeBytes + 1) })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('has removed every container when it is closed, those under removal included', async () => {
    const { host } = engine;
    const driver = dockerDriver({ host, image: IMAGE, instance: 'closed', egress: { network: 'none', env: {} } });
    const closed = createContainers({ driver, warm: { shell: 0 } });
    await Promise.all(Array.from({ length: 6 }, () => closed.run(request({ code: 'true' }))));
    await closed.close();
    const filters = { label: ['drawbridge.sandbox.instance=closed'] };
    expect(await engine.docker.listContainers({ all: true, filters })).toEqual([]);
  });

  it('uses a pre-started container once', async () => {
    const driver = dockerDriver({
      host: engine.host,
      image: IMAGE,
      instance: 'warm',
      egress: { network: 'none', env: {} },
    });
    const warm = createContainers({ driver });
    await warm.sweep();
    const run = () => warm.run(request({ code: 'ls /tmp; touch /tmp/used' }));
    for (let times = 0; times < 5; times++) expect(await run()).toMatchObject({ stdout: '', exitCode: 0 });
    await warm.close();
    const filters = { label: ['drawbridge.sandbox.instance=warm'] };
    expect(await engine.docker.listContainers({ all: true, filters })).toEqual([]);
  });

  it('says that no code has run if a waiting container has just ended', async () => {
    const warm = createContainers({
      driver: dockerDriver({
        host: engine.host,
        image: IMAGE,
        instance: 'ended',
        egress: { network: 'none', env: {} },
      }),
    });
    await warm.run(request({ code: 'true' }));
    const filters = { label: ['drawbridge.sandbox.instance=ended'], status: ['running'] };
    await sleep(1_500); // waits until the next container is ready
    const ended = await engine.docker.listContainers({ filters });
    await Promise.all(ended.map(({ Id }) => engine.docker.getContainer(Id).kill()));
    // If the pool has not yet detected that the container exited, the run fails with an error that invites the caller to repeat it.
    const result = await warm.run(request({ code: 'echo again' })).catch((error: unknown) => error);
    const expected = result instanceof Error ? { code: 'ENGINE_UNAVAILABLE' } : { stdout: 'again\n' };
    expect(result).toMatchObject(expected);
    await warm.close();
  });

  it('removes what a killed process left, and what another instance owns never', async () => {
    const other = engine.containers('other');
    const survivor = other.run(request({ code: 'sleep 8; echo survived', timeoutSeconds: 20 }));
    const owner = spawn(process.execPath, ['--input-type=module', '-e', OWNER(engine.host)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    owner.kill('SIGKILL');
    await once(owner, 'exit');

    const restarted = engine.containers('killed');
    await restarted.sweep();
    const filters = { label: ['drawbridge.sandbox.instance=killed'] };
    expect(await engine.docker.listContainers({ all: true, filters })).toEqual([]);
    expect(await survivor).toMatchObject({ stdout: 'survived\n' });
  });
});

/** Returns a program that runs endless code as the instance `killed`, and prints a line as soon as the code runs. */
const OWNER = (host: string): string => `
const { createContainers, dockerDriver } = await import(${JSON.stringify(new URL('../dist/index.js', import.meta.url))});
const driver = dockerDriver({ host: '${host}', image: '${IMAGE}', instance: 'killed', egress: { network: 'none', env: {} } });
const containers = createContainers({ driver });
await containers.sweep();
const limits = { input: {}, timeoutSeconds: 300, network: false, mount: 'none', persistence: 'ephemeral' };
await containers.run({ ...limits, language: 'shell', code: 'echo begun; sleep 300', onOutput: () => console.log('begun') });
`;

describe('containers without an engine', () => {
  it('say how to start one', async () => {
    const host = 'unix:///nowhere/docker.sock';
    const driver = dockerDriver({ host, image: IMAGE, instance: 'none', egress: { network: 'none', env: {} } });
    const containers = createContainers({ driver });
    const message =
      'needs a Docker engine, and none answers (ENOENT). On the machine of the execution service, start one';
    await expect(containers.run(request({}))).rejects.toThrow(message);
    await expect(containers.sweep()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  });
});
