// Shapes: local, processes
import { type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';

/** The header that a browser sends when it opens a URL. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let anonymous: Api;

beforeAll(async () => {
  anonymous = apiOf((await drawbridge()).baseUrl);
});

describe('health', () => {
  it('reports that the process is alive, without a key', async () => {
    expect(await anonymous.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('reports that everything behind the gateway is ready, without a key', async () => {
    await eventually(async () =>
      expect(await anonymous.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok', unready: [] } }),
    );
  });
});

describe('the base URL', () => {
  it('shows a browser a start page with links that work', async () => {
    const { status, body } = await anonymous.get('/', BROWSER);
    expect(status).toBe(200);
    const links = [...body.matchAll(/<a [^>]*href="(\/[^"]+)"/g)].map(([, to]) => to!);
    expect(links).toEqual(['/sign-in', '/docs/guides', '/docs', '/api/v1/openapi.json', '/readyz']);
    for (const to of links)
      expect({ to, status: (await anonymous.get(to, BROWSER)).status }).toEqual({ to, status: 200 });
    expect((await anonymous.get('/', { ...BROWSER, 'accept-language': 'de' })).body).toContain('Drawbridge läuft');
  });

  it('has an icon for the tab', async () => {
    const { status, headers, body } = await anonymous.get('/favicon.ico');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\/svg\+xml/)]);
    expect(String(body)).toMatch(/^<svg /);
  });

  it('answers 404 to a program', async () => {
    expect((await anonymous.get('/', { accept: 'application/json' })).status).toBe(404);
  });
});

describe('a path that does not exist', () => {
  it('answers a browser with a page', async () => {
    for (const path of ['/nothing', '/dashboard/x', `/${'%F0'.repeat(3)}`]) {
      const { status, headers, body } = await anonymous.get(path, BROWSER);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toMatch(/^text\/html/);
      expect(headers.get('content-security-policy')).toContain("script-src 'none'");
      expect(body).toContain('<h1>');
    }
  });

  it.each(['/api/v1/nothing', '/api', '/mcp/srv_x', '/webhooks/x/y', '/oauth/nothing', '/.well-known/nothing'])(
    'answers programs in JSON at %s, whatever they accept',
    async (path) => {
      const { status, body } = await anonymous.get(path, BROWSER);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(typeof body).toBe('object');
    },
  );

  it('answers other clients in JSON', async () => {
    expectError(await anonymous.get('/nothing', { accept: '*/*' }), 404, 'NOT_FOUND');
    expectError(await anonymous.send('POST', '/nothing', { headers: BROWSER }), 404, 'NOT_FOUND');
  });
});

describe('the API page', () => {
  it('is HTML that loads resources only from the same origin', async () => {
    const { status, body, headers } = await anonymous.get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'/);
    expect(body).not.toMatch(/https?:\/\//);
  });

  it('serves every script that it loads, compressed and cacheable', async () => {
    const { body } = await anonymous.get('/docs');
    const [, script] = /<script type="module" src="([^"]+)"/.exec(body)!;
    const [, library] = /from '([^']+)'/.exec((await anonymous.get(script!)).body)!;
    const { status, headers, body: code } = await anonymous.get(library!);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/javascript/);
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const chunks = [...String(code).matchAll(/from"\.(\/chunks\/[^"]+)"/g)].map(([, path]) => path!);
    expect(chunks.length).toBeGreaterThan(5);
    const folder = library!.slice(0, library!.lastIndexOf('/'));
    for (const path of chunks)
      expect({ path, status: (await anonymous.get(folder + path)).status }).toEqual({ path, status: 200 });
  });

  it.each(['x', '../../../package.json', '..%2f..%2fpackage.json', 'standalone.esm.js.gz', '__proto__', 'NOTICE'])(
    'has no file %s',
    async (file) => {
      const { body } = await anonymous.get('/docs/page.js');
      const [, folder] = /from '([^']+)\/standalone/.exec(body)!;
      expect((await anonymous.get(`${folder}/${file}`)).status).toBe(404);
    },
  );
});

describe('the guides', () => {
  it('are pages of docs/, with links that work', async () => {
    const index = await anonymous.get('/docs/guides');
    expect(index.status).toBe(200);
    expect(index.headers.get('content-security-policy')).toContain("script-src 'none'");
    const guides = [...index.body.matchAll(/href="(\/docs\/guides\/[^"]+)"/g)].map(([, path]) => path!);
    expect(guides[0]).toBe('/docs/guides/getting-started');
    expect(guides.length).toBeGreaterThan(60);
    for (const path of guides) {
      const { status, body } = await anonymous.get(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      const links = [...body.matchAll(/<a href="([^":]+)"/g)].map(
        ([, href]) => new URL(href!, `http://x${path}`).pathname,
      );
      expect({ path, lost: links.filter((to) => to.startsWith('/docs/guides/') && !guides.includes(to)) }).toEqual({
        path,
        lost: [],
      });
    }
  });

  it.each(['nothing', 'README', '../package', 'decisions', '__proto__', 'getting-started.html', 'getting-started/x'])(
    'have no page %s',
    async (name) => expect((await anonymous.get(`/docs/guides/${name}`)).status).toBe(404),
  );

  it('are compressed for clients that accept gzip', async () => {
    const { headers } = await anonymous.get('/docs/guides/operating', { 'accept-encoding': 'gzip' });
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual(['gzip', 'public, max-age=300']);
  });
});

describe('the OpenAPI document', () => {
  it('is compressed for clients that accept gzip, and plain for others', async () => {
    for (const [accepted, encoding] of [
      ['gzip, br', 'gzip'],
      ['identity', null],
    ] as const) {
      const { headers, body } = await anonymous.get('/api/v1/openapi.json', { 'accept-encoding': accepted });
      expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([
        encoding,
        'public, max-age=300',
      ]);
      expect(Object.keys(body.paths).length).toBeGreaterThan(40);
    }
  });
});
