import { once } from 'node:events';
import { memoryMount } from './testing/memory-mounts.js';
import { request, until } from './testing/engine.js';
import { canRunPods, type Cluster, startCluster } from './testing/pods.js';

// `REQUIRE=docker` also requires these tests, because pods need the same rights as a Docker engine.
const isRequired = (process.env['REQUIRE'] ?? '').split(',').includes('docker');
const describeWithPods = canRunPods() || isRequired ? describe : describe.skip;

describeWithPods('programs in pods, with the real supervisor', () => {
  let cluster: Cluster;

  beforeAll(async () => void (cluster = await startCluster()));
  afterAll(() => cluster?.close());

  const run = (part: Parameters<typeof request>[0]) => cluster.containers.run(request(part));

  it.each([
    ['javascript', 'console.log(input.a + 1); process.exitCode = 3'],
    ['python', 'import sys; print(input["a"] + 1); sys.exit(3)'],
    ['shell', 'cat; exit 3'],
  ] as const)('runs %s with its input', async (language, code) => {
    const { stdout, exitCode } = await run({ language, code, input: { a: 1 } });
    expect({ stdout: stdout.trim().replace('{"a": 1}', '2'), exitCode }).toEqual({ stdout: '2', exitCode: 3 });
  });

  it('has the limits of a pod, and no privileges', async () => {
    const { stdout } = await run({ code: 'ulimit -n; ulimit -c; ulimit -f; id -u; echo $$' });
    expect(stdout).toMatch(/^256\n0\n81920\n65534\n\d+\n$/);
  });

  it('reads and stores the files of a mount that belongs to root', async () => {
    await memoryMount('pod').write({ written: new Map([['old', Buffer.from('o')]]), deleted: [] });
    const first = await run({ code: 'cat old; rm old; mkdir d; echo new > d/f', mount: { key: 'pod' } });
    expect(first).toMatchObject({ stdout: 'o', files: [{ filename: 'd/f', base64: 'bmV3Cg==' }] });
    expect((await run({ code: 'find . -type f', mount: { key: 'pod' } })).stdout).toBe('./d/f\n');
  });

  it('passes a large input and cuts off a large output', async () => {
    const code = 'wc -c | tr -d " "; head -c 2000000 /dev/zero';
    const { stdout, truncated } = await run({ code, input: 'x'.repeat(6_000_000) });
    expect({ start: stdout.slice(0, 8), length: stdout.length, truncated }).toEqual({
      ...{ start: '6000002\n', length: 256 * 1024, truncated: true },
    });
  });

  it('ends a program at its time limit', async () => {
    expect(await run({ code: 'echo begun; while :; do :; done', timeoutSeconds: 1 })).toMatchObject({
      ...{ outcome: 'timed_out', stdout: 'begun\n' },
    });
  });

  it('reuses a persistent environment', async () => {
    const persistence = { key: 'kept', tenant: 'a' };
    await run({ code: 'echo kept > /tmp/a', persistence });
    expect((await run({ code: 'cat /tmp/a', persistence })).stdout).toBe('kept\n');
  });

  it('ends the pod when the connection to its service is lost', async () => {
    let begun = '';
    const onOutput = ({ text }: { text: string }): void => void (begun += text);
    const lost = run({ code: 'echo begun; sleep 60', timeoutSeconds: 60, onOutput });
    await until(async () => begun !== '');
    const pod = [...cluster.pods.values()].at(-1)!;
    const exited = once(pod, 'exit');
    cluster.sockets.at(-1)!.terminate();
    await exited;
    expect(await lost).toMatchObject({ outcome: 'unknown' });
  });
});
