import { randomBytes } from 'node:crypto';
import { SERVICES } from '@drawbridge/contracts';
import { freePort } from '@drawbridge/testkit';
import { apiOf } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { readGuide } from '../support/guides.js';
import { command } from './support/command.js';
import { type Engine, startEngine } from './support/engine.js';

const NAME = `drawbridge-${randomBytes(4).toString('hex')}`;
/** Returns the arguments of the command in docs/self-hosting.md that begins with `start`. */
function printed(start: string): string[] {
  const line = readGuide('self-hosting')
    .split('\n')
    .find((text) => text.startsWith(start));
  return line!.split(' ').slice(1);
}

describe('the images', () => {
  let engine: Engine;
  let url: string;

  const waitUntilReady = (): Promise<void> =>
    eventually(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 60_000);
  const inspect = async (image: string): Promise<any> => JSON.parse(await engine.docker('image', 'inspect', image))[0];

  beforeAll(async () => {
    engine = await startEngine();
    await engine.standIns('node');
    await command([process.execPath, 'deploy/images.mjs', '--bundles', ...SERVICES], { env: engine.env });
    // Installs and builds the product inside the image, as a reader of the guide does. `host` is the network of the test's Docker engine.
    const [build = '', ...flags] = printed('docker build -f');
    await engine.docker(build, '--network', 'host', ...flags);
    await engine.docker('network', 'create', NAME);
  });
  afterAll(async () => {
    await engine?.docker('rm', '--force', '--volumes', NAME).catch(() => undefined);
    await engine?.docker('volume', 'rm', '--force', NAME);
    await engine?.stop();
  });

  it('are one for each service and one with all, run as a user without rights, and add at most 30 MB to Node.js', async () => {
    const base = (await inspect('node:24-bookworm-slim')).Size;
    for (const service of SERVICES) {
      const { Config, Size } = await inspect(`drawbridge-${service}`);
      expect(Config).toMatchObject({ User: '1000:1000', Volumes: null });
      expect(Config.Labels).toMatchObject({
        'org.opencontainers.image.title': `drawbridge-${service}`,
        'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/),
        'org.opencontainers.image.created': expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
      expect(Size - base).toBeLessThan(30_000_000);
    }
    expect((await inspect('drawbridge')).Config).toMatchObject({ User: '1000:1000', Volumes: { '/data': {} } });
  });

  it('run all services and the database with one command on a read-only system, and keep the data in the volume', async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const own: Record<string, string> = {
      drawbridge: NAME,
      '127.0.0.1:8080:8080': `127.0.0.1:${port}:8080`,
      'drawbridge:/data': `${NAME}:/data`,
    };
    const run = printed('docker run').slice(0, -1);
    const flags = run.map((flag) => own[flag] ?? flag);
    const start = (): Promise<string> => engine.docker(...flags, '--network', NAME, 'drawbridge');
    await start();
    await waitUntilReady();
    const key = await eventually(async () => /First key +(svc_\S+)/.exec(await engine.docker('logs', NAME))![1]!);
    const created = await apiOf(url, key).post('/api/v1/workspaces', { name: 'Acme', slug: 'acme' });
    expect(created.status).toBe(201);
    expect((await fetch(`${url}/docs/guides`)).status).toBe(200);
    await eventually(async () => expect(await engine.docker('ps', '--filter', `name=${NAME}`)).toContain('(healthy)'));
    const { organizations } = JSON.parse(
      await engine.docker('exec', NAME, 'node', 'dist/main.js', 'admin', 'org', 'list'),
    );
    expect(organizations).toMatchObject([{ slug: 'default' }]);

    await engine.docker('stop', NAME);
    expect((await engine.docker('inspect', '--format', '{{.State.ExitCode}}', NAME)).trim()).toBe('0');
    await engine.docker('rm', NAME);
    await start();
    await waitUntilReady();
    const { body } = await apiOf(url, key).get('/api/v1/workspaces');
    expect(body.workspaces).toMatchObject([{ slug: 'acme' }]);
  });

  it('contain the list of their packages and the licences', async () => {
    const read = (image: string, file: string): Promise<string> =>
      engine.docker('run', '--rm', '--network', 'none', '--entrypoint', 'cat', image, file);
    for (const image of ['drawbridge', 'drawbridge-gateway']) {
      expect(JSON.parse(await read(image, 'sbom.cdx.json'))).toMatchObject({ bomFormat: 'CycloneDX' });
      expect(await read(image, 'THIRD-PARTY-LICENSES')).toMatch(/^express \d/m);
    }
  });
});
