import type { Containers } from './containers.js';
import { describeWithDocker, type Engine, request, startEngine } from './testing/engine.js';

describeWithDocker('files and environments between runs', () => {
  let engine: Engine;
  let containers: Containers;

  beforeAll(async () => {
    engine = await startEngine();
    containers = engine.containers('scopes');
  });

  afterAll(() => engine?.stop());

  describe('a mount', () => {
    it('keeps files between runs and returns created and changed ones', async () => {
      const mount = { key: 'org/workspace/a' };
      const first = await containers.run(
        request({ mount, code: 'echo 1 > a.txt; mkdir d; echo {} > d/b.json; echo 2 > c' }),
      );
      expect(first.files).toEqual([
        { filename: 'a.txt', mimeType: 'text/plain', base64: btoa('1\n') },
        { filename: 'c', mimeType: 'application/octet-stream', base64: btoa('2\n') },
        { filename: 'd/b.json', mimeType: 'application/json', base64: btoa('{}\n') },
      ]);
      const second = await containers.run(request({ mount, code: 'cat a.txt; echo 3 >> a.txt; rm c' }));
      expect(second).toMatchObject({ stdout: '1\n', files: [{ filename: 'a.txt', base64: btoa('1\n3\n') }] });
      const third = await containers.run(request({ mount, code: 'find . -type f | sort' }));
      expect(third).toMatchObject({ stdout: './a.txt\n./d/b.json\n', files: [] });
    });

    it('is empty for another key and for no key', async () => {
      await containers.run(
        request({ mount: { key: 'org/end-user/1' }, code: 'echo secret > f; echo secret > /tmp/f' }),
      );
      const list = 'find /files /tmp -type f ! -name "code*"';
      for (const mount of [{ key: 'org/end-user/2' }, { key: 'org/end-user/1/' }, { key: '../org' }, 'none'] as const) {
        expect((await containers.run(request({ mount, code: list }))).stdout).toBe('');
      }
    });

    it('never mixes keys, raced by runs at once', async () => {
      const codes = ['a', 'b', 'c', 'd'].flatMap((key) => [
        { key, code: `echo ${key} > ${key}1; sleep 0.2; cat *` },
        { key, code: `echo ${key} > ${key}2; sleep 0.2; cat *` },
      ]);
      await Promise.all(codes.map(({ key, code }) => containers.run(request({ mount: { key: `race/${key}` }, code }))));
      for (const key of ['a', 'b', 'c', 'd']) {
        const { stdout } = await containers.run(request({ mount: { key: `race/${key}` }, code: 'ls; cat *' }));
        expect(stdout).toBe(`${key}1\n${key}2\n${key}\n${key}\n`);
      }
    });

    it('stores no link, pipe or file of an ended run', async () => {
      const mount = { key: 'odd' };
      const odd = await containers.run(
        request({ mount, code: 'ln -s /etc/passwd link; mkfifo pipe; ln a hard; echo 1 > kept' }),
      );
      expect(odd).toMatchObject({ files: [{ filename: 'kept' }], skipped: 2 });
      await containers.run(request({ mount, code: 'echo 2 > lost; sleep 60', timeoutSeconds: 1 }));
      expect((await containers.run(request({ mount, code: 'ls' }))).stdout).toBe('kept\n');
    });
  });

  describe('a persistent environment', () => {
    const persistence = { key: 'environment', tenant: 'a' };

    it('keeps /tmp and no process, for one key and one mount', async () => {
      const first = await containers.run(
        request({ persistence, code: 'echo 1 > /tmp/x; sleep 1000 > /dev/null 2>&1 & echo ok' }),
      );
      expect(first.stdout).toBe('ok\n');
      const js =
        "const fs = require('fs'); console.log(fs.readFileSync('/tmp/x', 'utf8').trim(), fs.readdirSync('/proc').filter(Number).length)";
      const second = await containers.run(request({ persistence, language: 'javascript', code: js }));
      expect(second.stdout).toBe('1 2\n');
      const others = [
        { persistence: { key: 'other', tenant: 'a' } },
        { mount: { key: 'm' }, persistence },
        { persistence: 'ephemeral' as const },
      ];
      for (const other of others) {
        expect((await containers.run(request({ ...other, code: 'ls /tmp/x' }))).exitCode).not.toBe(0);
      }
    });

    it('shows each queued run the files of the run before', async () => {
      const run = () => containers.run(request({ persistence, mount: { key: 'queued' }, code: 'echo 1 >> f; cat f' }));
      const all = await Promise.all([run(), run(), run()]);
      expect(all.map(({ stdout }) => stdout.length)).toEqual([2, 4, 6]);
    });

    it('survives a queued run that is cancelled', async () => {
      const cancel = new AbortController();
      const first = containers.run(request({ persistence, code: 'echo 1 > /tmp/kept; sleep 1' }));
      const second = containers.run(request({ persistence, code: 'echo never', signal: cancel.signal }));
      cancel.abort();
      await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
      await first;
      expect((await containers.run(request({ persistence, code: 'cat /tmp/kept' }))).stdout).toBe('1\n');
    });

    it('runs one at a time, and starts a fresh environment after a run that was ended', async () => {
      const run = (code: string) => containers.run(request({ persistence, code, timeoutSeconds: 1 }));
      const all = await Promise.all([run('echo 1 > /tmp/x; sleep 30'), run('ls /tmp/x'), run('echo 2')]);
      expect(all.map(({ outcome, stdout }) => [outcome, stdout])).toEqual([
        ['timed_out', ''],
        ['exited', ''],
        ['exited', '2\n'],
      ]);
    });
  });
});
