// Shapes: local, processes
import { type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';

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
  it('redirects a browser to the API page', async () => {
    const { status, headers } = await anonymous.get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect({ status, to: headers.get('location') }).toEqual({ status: 302, to: '/docs' });
  });

  it('answers 404 to a program', async () => {
    expect((await anonymous.get('/', { accept: 'application/json' })).status).toBe(404);
  });
});

describe('the API page', () => {
  it('is HTML that loads resources only from the same origin', async () => {
    const { status, body, headers } = await anonymous.get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(body).not.toMatch(/https?:\/\//);
  });

  it('serves every script and style sheet that it loads', async () => {
    const { body } = await anonymous.get('/docs');
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { status, headers } = await anonymous.get(file);
      expect({ file, status }).toEqual({ file, status: 200 });
      expect(headers.get('content-type')).toMatch(/javascript|css/);
    }
  });
});
