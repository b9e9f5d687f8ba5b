import { type ProviderBehaviour } from '@drawbridge/testkit';

/** The OAuth behaviour of a provider: its authorization request, and the response of its token endpoint. */
export interface VendorGrant {
  integrationName: string;
  /** The origins of the authorization page and of the token endpoint. */
  origins: string[];
  authPath: string;
  /** Expected query parameters of the authorization request. */
  asked: object;
  tokenRoute: string;
  /** True if the client authenticates with HTTP Basic and sends JSON. */
  isBasicJson?: boolean;
  answer: ProviderBehaviour;
  /** The token of later API calls. */
  accessToken: string;
  refusal: { answer: ProviderBehaviour; code: string };
}

const invalidGrant = { answer: { status: 400, body: { error: 'invalid_grant' } }, code: 'invalid_grant' };

export const GRANTS: VendorGrant[] = [
  {
    integrationName: 'github',
    origins: ['https://github.com'],
    authPath: '/login/oauth/authorize',
    asked: { scope: 'repo read:user', code_challenge_method: 'S256' },
    tokenRoute: 'POST /login/oauth/access_token',
    answer: { body: 'access_token=gho_granted&scope=repo%2Cread%3Auser&token_type=bearer' },
    accessToken: 'gho_granted',
    refusal: {
      answer: { body: { error: 'bad_verification_code', error_description: 'It is wrong or has expired.' } },
      code: 'bad_verification_code',
    },
  },
  {
    integrationName: 'slack',
    origins: ['https://slack.com'],
    authPath: '/oauth/v2/authorize',
    asked: { scope: expect.stringMatching(/^chat:write,channels:read,/) },
    tokenRoute: 'POST /api/oauth.v2.access',
    answer: {
      body: {
        ...{
          ok: true,
          app_id: 'A1',
          access_token: 'xoxb-granted',
          token_type: 'bot',
          scope: 'chat:write,channels:read',
        },
        ...{ bot_user_id: 'U0', team: { id: 'T1', name: 'Acme' }, enterprise: null, authed_user: { id: 'U1' } },
      },
    },
    accessToken: 'xoxb-granted',
    refusal: { answer: { body: { ok: false, error: 'invalid_code' } }, code: 'invalid_code' },
  },
  {
    integrationName: 'google-sheets',
    origins: ['https://accounts.google.com', 'https://oauth2.googleapis.com'],
    authPath: '/o/oauth2/v2/auth',
    asked: { scope: expect.stringContaining('/auth/spreadsheets '), access_type: 'offline', prompt: 'consent' },
    tokenRoute: 'POST /token',
    answer: {
      body: {
        ...{ access_token: 'ya29.granted', refresh_token: '1//refresh', expires_in: 3_599, token_type: 'Bearer' },
        scope: 'https://www.googleapis.com/auth/spreadsheets',
      },
    },
    accessToken: 'ya29.granted',
    refusal: invalidGrant,
  },
  {
    integrationName: 'notion',
    origins: ['https://api.notion.com'],
    authPath: '/v1/oauth/authorize',
    asked: { owner: 'user' },
    tokenRoute: 'POST /v1/oauth/token',
    isBasicJson: true,
    answer: {
      body: {
        ...{ access_token: 'ntn_granted', token_type: 'bearer', bot_id: 'b1', duplicated_template_id: null },
        ...{ workspace_id: 'w1', workspace_name: 'Acme', workspace_icon: null, owner: { type: 'user', user: {} } },
      },
    },
    accessToken: 'ntn_granted',
    refusal: invalidGrant,
  },
  {
    integrationName: 'linear',
    origins: ['https://linear.app', 'https://api.linear.app'],
    authPath: '/oauth/authorize',
    asked: { scope: 'read,write' },
    tokenRoute: 'POST /oauth/token',
    answer: {
      body: {
        ...{ access_token: 'lin_granted', refresh_token: 'lin_refresh' },
        ...{ token_type: 'Bearer', expires_in: 86_399, scope: 'read write' },
      },
    },
    accessToken: 'lin_granted',
    refusal: invalidGrant,
  },
];
