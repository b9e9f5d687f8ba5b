import { type Send } from '@drawbridge/egress';
import { clientDocuments, isDocumentId } from './clients.js';

it.each([
  'https://claude.ai/oauth/claude-code-client-metadata',
  'https://vscode.dev/oauth/client-metadata.json',
  'https://app.example:8443/a/b',
])('takes %s for where a program says who it is', (id) => expect(isDocumentId(id)).toBe(true));

it.each([
  'http://app.example/client',
  'https://app.example',
  'https://app.example/',
  'https://app.example/client?x=1',
  'https://app.example/client?',
  'https://app.example/client#x',
  'https://app.example/client#',
  'https://user@app.example/client',
  'https://app.example/a/../client',
  'https://APP.example/client',
  'https://app.example:443/client',
  'https://app.example/a b',
  'ftp://app.example/client',
  `https://app.example/${'a'.repeat(500)}`,
  '018f0000-0000-7000-8000-000000000000',
  '',
])('takes %j for no such address', (id) => expect(isDocumentId(id)).toBe(false));

describe('documents of programs', () => {
  const ID = 'https://app.example/client';
  let asked: string[];
  let status: number;
  beforeEach(() => ([asked, status] = [[], 200]));

  /** Returns `clientDocuments` with a fake network: each host serves valid client metadata, except one host that never responds. */
  const documents = () =>
    clientDocuments((host): Send => {
      return async ({ url }) => {
        asked.push(url);
        if (host === 'slow.example') return new Promise(() => undefined);
        const body = Buffer.from(JSON.stringify({ client_id: url, redirect_uris: ['https://app.example/back'] }));
        return { status, url, headers: { 'content-type': 'application/json' }, body };
      };
    });

  it('are asked for at places of their host alone', async () => {
    const hosts: string[] = [];
    const find = clientDocuments((host): Send => {
      hosts.push(host);
      return () => new Promise(() => undefined);
    });
    void find('https://slow.example:8443/client');
    void find(ID);
    expect(hosts).toEqual(['slow.example:8443', 'app.example']);
  });

  it('are had while another never comes', async () => {
    const find = documents();
    void find('https://slow.example/client');
    expect((await find(ID)).clientId).toBe(ID);
  });

  it('are asked for once, and so are those that are refused', async () => {
    const find = documents();
    await find(ID);
    await find(ID);
    status = 404;
    for (let look = 0; look < 2; look++)
      await expect(find(`${ID}/gone`)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(asked).toEqual([ID, `${ID}/gone`]);
  });
});
