import { json, runPiece } from '../testing/run-piece.js';
import { microsoftOutlook } from './microsoft-outlook/index.js';
import { microsoftOauth2, odataText, withoutAnnotations } from './microsoft.js';

it('connects accounts of any tenant, with a new refresh token at each refresh', () => {
  expect(microsoftOauth2(['Mail.Send'])).toEqual({
    authUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scopes: ['offline_access', 'Mail.Send'],
    pkce: true,
    refresh: 'rotating',
    scopeOnRefresh: true,
    grantRefusedWhen: ['interaction_required', 'consent_required', 'login_required'],
  });
});

it('leaves out annotations, such as the URL that needs no credential', () => {
  const item = { id: '1', '@microsoft.graph.downloadUrl': 'https://x', 'attachments@odata.context': 'y' };
  expect(withoutAnnotations(item)).toEqual({ id: '1' });
});

it('doubles the quotes of a text', () => expect(odataText("o'neil's")).toBe("'o''neil''s'"));

it('asks for small pages, and for no more items than are wanted', async () => {
  const setting = { piece: microsoftOutlook, reply: () => json({ value: [] }) };
  const sizes = [undefined, 7, 500].map(async (limit) => {
    const { received } = await runPiece(setting, 'search', { query: 'a', ...(limit && { limit }) });
    return new URL(received[0]?.url ?? '', 'https://graph.microsoft.com').searchParams.get('$top');
  });
  expect(await Promise.all(sizes)).toEqual(['25', '7', '100']);
});
