import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Running, startChild } from '@drawbridge/testkit';
import { apiOf } from '../support/api.js';
import { readGuide } from '../support/guides.js';
import { command } from './support/command.js';

const NOBODY = 65534;

/** Returns the environment of this machine, such as its proxy and certificates, without what npm sets for its own commands. */
function machine(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
}

describe('the npm package', () => {
  let folder: string;
  let tarball: string;
  let env: NodeJS.ProcessEnv;

  /** Runs a command as a user who may only write to their own folder. */
  const asUser = (...line: string[]): string[] =>
    process.getuid?.() === 0
      ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--', ...line]
      : line;
  const installed = (): string => join(folder, 'home/installed/bin/drawbridge');
  const start = (...args: string[]): Promise<Running> => {
    const readyWhen = /is ready[^]*Base URL +(\S+)[^]*First key +(\S+)[^]*Ctrl-C/;
    return startChild({ name: 'drawbridge', command: asUser(installed(), ...args), env, readyWhen }, folder);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'drawbridge-package-'));
    chownSync(folder, NOBODY, NOBODY);
    const home = join(folder, 'home');
    mkdirSync(home);
    chownSync(home, NOBODY, NOBODY);
    env = { PATH: process.env['PATH'], HOME: home, METRICS_PORT: '0' };
    tarball = (await command([process.execPath, 'deploy/package.mjs', folder])).trim();
    // Many machines run no install scripts, so the package must not need them.
    const install = ['npm', 'install', '--global', '--ignore-scripts', '--prefix', join(home, 'installed'), tarball];
    await command(asUser(...install), { cwd: home, env: { ...machine(), HOME: home } });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    expect(readdirSync(join(folder, 'home/.local/share/drawbridge'))).toContain('postgres');
  });

  it('runs without an installation, as docs/self-hosting.md says', async () => {
    const [, line = ''] = /`(npx --package [^`]+)`/.exec(readGuide('self-hosting'))!;
    const words = line.split(' ').map((word) => (word.endsWith('.tgz') ? tarball : word));
    const place = { ...machine(), HOME: join(folder, 'home') };
    expect(await command(asUser(...words, '--version'), { cwd: join(folder, 'home'), env: place })).toMatch(/^\d+\./);
  });

  it('has the commands for operators', async () => {
    const { organizations } = JSON.parse(await command(asUser(installed(), 'admin', 'org', 'list'), { env }));
    expect(organizations).toMatchObject([{ slug: 'default' }]);
    expect(await command(asUser(installed(), '--version'), { env })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('contains the licences of everything in it, and the list of its packages', async () => {
    const read = (file: string): Promise<string> => command(['tar', '-xzOf', tarball, `package/${file}`]);
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
