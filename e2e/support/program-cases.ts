import { type Answer } from './api.js';
import { newPolicy } from './approvals.js';
import { expectError, expectInvalid } from './expect.js';
import { type Call, type Programs } from './programs.js';
import { newWorkspace } from './workspace-integrations.js';

/** Less than the 10 s for which Docker waits by default when it stops a container. */
const LATE_SECONDS = 8;

interface Place {
  /** The maximum time of the start of a container. */
  startSeconds: number;
  /** Whether one process runs all programs. With several, a run can reach a process that does not have the persistent environment. */
  isOneProcess: boolean;
  /** The number of network interfaces beside loopback. A pod has one, and the network policies of the cluster deny its traffic. */
  interfaces: number;
  /** Returns a URL that this process can reach, and a program could reach only without isolation. Absent if isolation is not enforced here. */
  control?: () => string;
}

/** Declares the tests of programs that hold on a Docker engine and on a cluster. */
export function itRunsPrograms(programs: () => Programs, place: Place): void {
  const { startSeconds, isOneProcess, interfaces, control } = place;
  const run: Programs['run'] = (...args): Promise<Answer> => programs().run(...args);
  const output: Programs['output'] = (...args) => programs().output(...args);
  const configured: Programs['configured'] = (...args) => programs().configured(...args);

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

  it.each([1, 5, 60])('ends a program soon after its limit of %i s', async (timeoutSeconds) => {
    const integration = await configured({ timeoutSeconds });
    const started = performance.now();
    const answer = await run('echo begun; while :; do :; done', { integration });
    const seconds = (performance.now() - started) / 1000;
    expectError(answer, 400, 'ACTION_FAILED');
    const provider = { code: 'TIMEOUT', console: [{ level: 'log', text: 'begun' }] };
    expect(answer.body.details).toMatchObject({ provider, retryable: false });
    expect(seconds).toBeGreaterThan(timeoutSeconds);
    expect(seconds).toBeLessThan(timeoutSeconds + LATE_SECONDS + startSeconds);
  });

  it('has no network unless the settings allow it', async () => {
    const urls = ['http://127.0.0.1:1', 'http://198.51.100.1', ...(control ? [control()] : [])];
    if (control) expect((await fetch(control())).status).toBe(200);
    const statuses = `for url in ${urls.join(' ')}; do curl -s -o /dev/null -w "%{http_code} " --max-time 3 $url; done; echo`;
    const code = `${statuses}; env | grep -ci proxy; grep -c "eth[0-9]*:" /proc/net/dev; true`;
    expect((await output(code)).stdout).toBe(`${'000 '.repeat(urls.length)}\n0\n${interfaces}\n`);
    const integration = await configured({ network: true });
    const through = await output('curl -sS --max-time 10 http://127.0.0.1:1/', { integration });
    expect(through.stdout).toContain('egress proxy: EGRESS_DENIED');
  });

  it('refuses a program with a network to which a policy with host rules applies', async () => {
    const [integration, offline] = [await configured({ network: true }), await configured({})];
    await newPolicy(programs().api, {
      workspaceId: programs().workspaceId,
      rules: { domainDenylist: ['api.github.com'] },
      decision: 'block',
    });
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
    const second = await newWorkspace(programs().api);
    const foreign = await newWorkspace(programs().other);
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
      configured({ storageMountScope: 'end_user' }, foreign, programs().other).then((integration): [string, Call] => [
        'foreign',
        { workspace: foreign, integration, endUserId: 'u1', by: programs().other },
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
    const found = (await output(look, { integration, endUserId: 'u1' })).stdout;
    expect(isOneProcess ? ['mine\n'] : ['mine\n', 'nothing\n']).toContain(found);
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
}
