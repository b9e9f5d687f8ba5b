import { type FakeProvider } from '@drawbridge/testkit';
import { canary } from './canaries.js';
import { type Planting } from './plant-links.js';
import { webOf } from './web.js';

const TOKENS = 'POST /login/oauth/access_token';
const ISSUES = 'POST /repos/acme/app/issues';

/** Authorizes at a provider that first fails in several ways and then succeeds. Its error responses quote the request. */
export async function plantGrant(its: Planting, provider: FakeProvider, turn: number): Promise<void> {
  const refusal = (text: string) => ({ body: { error: 'bad_verification_code', error_description: `No: ${text}` } });
  for (const quoted of [refusal, (text: string) => ({ status: 503, body: text }), (text: string) => ({ body: text })]) {
    provider.on(TOKENS, ({ text }) => quoted(text));
    await comeBack(its, `refused ${turn}`);
  }

  // The tokens use only characters that RFC 6750, section 2.1, allows.
  const [access_token, refresh_token] = ['granted access token', 'granted refresh token'].map((kind) => {
    const { core } = canary();
    its.adopt(kind, core);
    return core;
  });
  provider.on(TOKENS, ({ text }) => {
    const verifier = new URLSearchParams(text).get('code_verifier');
    if (verifier) its.adopt('code verifier', verifier);
    return { body: { access_token, refresh_token, token_type: 'bearer', expires_in: 28_800 } };
  });
  const externalId = `granted ${turn}`;
  const { connectionId } = await comeBack(its, externalId);
  expect(connectionId).not.toBeNull();
  await useUp(its, provider, externalId);
  await its.ask('DELETE', `/api/v1/connections/${connectionId}`);
}

/** Runs a session from the link to the callback with a new code. Returns the session. */
async function comeBack(its: Planting, externalId: string): Promise<{ connectionId: string | null }> {
  const { baseUrl, workspaceId, ask, look } = its;
  const body = { integrationName: 'github', connectionName: 'G', workspaceId, externalId };
  const { token, sessionId } = (await its.askOnce('POST', '/api/v1/connect/token', { body })).body;
  its.adopt('connect token', token.slice(10));
  const web = webOf(baseUrl);
  await look(web.get(`/connect?token=${token}`));
  const leads = (await web.post(`/connect/${sessionId}/authorize`)).headers.get('refresh')!;
  const state = new URL(leads.replace('0; url=', '')).searchParams.get('state');
  await look(
    web.get(`/connect/callback?${new URLSearchParams({ code: its.plant('code'), state: state! }).toString()}`),
  );
  await look(web.get(`/connect/${sessionId}`));
  return (await ask('GET', `/api/v1/connect/session/${sessionId}`)).body.session;
}

/** Uses a connection with a token and refresh token that the provider rejects. */
async function useUp(
  { ask, workspaceId }: Planting,
  provider: FakeProvider,
  connectionExternalId: string,
): Promise<void> {
  provider.on(ISSUES, ({ headers }) => ({ status: 401, body: { message: `No: ${headers['authorization']}` } }));
  provider.on(TOKENS, ({ text }) => ({ body: { error: 'bad_refresh_token', error_description: `No: ${text}` } }));
  const call = { integrationName: 'github', actionName: 'create_issue', workspaceId, connectionExternalId };
  const used = await ask('POST', '/api/v1/actions/execute', { ...call, input: { repo: 'acme/app', title: 'T' } });
  expect(used.status).toBe(400);
}
