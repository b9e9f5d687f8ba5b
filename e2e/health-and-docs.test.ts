// Shapes: local, processes
import { type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';

let nobody: Api;

beforeAll(async () => {
  nobody = apiOf((await drawbridge()).baseUrl);
});

describe('health', () => {
  it('says that the process lives, without a key', async () => {
    expect(await nobody.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('says that everything behind the gateway can work, without a key', async () => {
    await eventually(async () =>
      expect(await nobody.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok', unready: [] } }),
    );
  });
});

describe('the address in a browser', () => {
  it('leads to the API page', async () => {
    const { status, headers } = await nobody.get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect({ status, to: headers.get('location') }).toEqual({ status: 302, to: '/docs' });
  });

  it('is no path for a program', async () => {
    expect((await nobody.get('/', { accept: 'application/json' })).status).toBe(404);
  });
});

describe('the API page', () => {
  it('is HTML that a browser may load from here alone', async () => {
    const { status, body, headers } = await nobody.get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(body).not.toMatch(/https?:\/\//);
  });

  it('loads every script and style sheet from here', async () => {
    const { body } = await nobody.get('/docs');
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { status, headers } = await nobody.get(file);
      expect({ file, status }).toEqual({ file, status: 200 });
      expect(headers.get('content-type')).toMatch(/javascript|css/);
    }
  });
});
