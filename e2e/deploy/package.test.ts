import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Running, startChild } from '@drawbridge/testkit';
import { apiOf } from '../support/api.js';
import { readGuide } from '../support/guides.js';
import { command } from './support/command.js';
import { type InstalledPackage, installPackage, machine } from './support/installed-package.js';

describe('the npm package', () => {
  let its: InstalledPackage;
  let env: NodeJS.ProcessEnv;

  const start = (...args: string[]): Promise<Running> => {
    const readyWhen = /is ready[^]*Base URL +(\S+)[^]*First key +(\S+)[^]*Ctrl-C/;
    return startChild({ name: 'drawbridge', command: its.asUser(its.program, ...args), env, readyWhen }, its.folder);
  };

  beforeAll(async () => {
    its = await installPackage();
    env = { PATH: process.env['PATH'], HOME: its.home, METRICS_PORT: '0' };
  });
  afterAll(() => its?.remove());

  it('starts from nothing, answers the first call, exits with 0 on SIGTERM, and reuses its data', async () => {
    const first = await start('--port', '0');
    const [, url = '', key = ''] = first.ready;
    const created = await apiOf(url, key).post('/api/v1/workspaces', { name: 'Acme', slug: 'acme' });
    expect(created).toMatchObject({ status: 201, body: { workspace: { slug: 'acme' } } });
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    expect((await fetch(`${url}/docs/guides`)).status).toBe(200);
    expect(await first.end('SIGTERM')).toBe(0);

    // The additional processes of --processes must run the bundled program, too.
    const second = await start('start', '--port', '0', '--processes', '2');
    const { body } = await apiOf(second.ready[1] ?? '', key).get('/api/v1/workspaces');
    expect(body.workspaces).toMatchObject([{ slug: 'acme' }]);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(readdirSync(join(its.home, '.local/share/drawbridge'))).toContain('postgres');
  });

  it('runs without an installation, as docs/self-hosting.md says', async () => {
    const [, line = ''] = /`(npx --package [^`]+)`/.exec(readGuide('self-hosting'))!;
    const words = line.split(' ').map((word) => (word.endsWith('.tgz') ? its.tarball : word));
    const place = { ...machine(), HOME: its.home };
    expect(await command(its.asUser(...words, '--version'), { cwd: its.home, env: place })).toMatch(/^\d+\./);
  });

  it('has the commands for operators', async () => {
    const { organizations } = JSON.parse(await command(its.asUser(its.program, 'admin', 'org', 'list'), { env }));
    expect(organizations).toMatchObject([{ slug: 'default' }]);
    expect(await command(its.asUser(its.program, '--version'), { env })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('contains the licences of everything in it, and the list of its packages', async () => {
    const read = (file: string): Promise<string> => command(['tar', '-xzOf', its.tarball, `package/${file}`]);
    expect(await read('LICENSE')).toContain('Apache License');
    const { components } = JSON.parse(await read('sbom.cdx.json'));
    const names = components.map(({ group, name }: { group?: string; name: string }) =>
      group ? `${group}/${name}` : name,
    );
    expect(names).toEqual(expect.arrayContaining(['express', 'pg', 'jsonata', 'quickjs-wasi', '@swc/wasm-typescript']));
    const licenses = await read('THIRD-PARTY-LICENSES');
    const unlisted = names.filter((name: string) => !name.startsWith('@drawbridge/') && !licenses.includes(`${name} `));
    expect(unlisted).toEqual([]);
  });
});
