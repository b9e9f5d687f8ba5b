import { hashToken } from '@drawbridge/contracts';
import { AccountError, type Piece } from '@drawbridge/piece-kit';
import { type ConnectProblem } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { detached, nothingToRecord } from '@drawbridge/rpc';
import { providerAt } from '../oauth/account-addresses.js';
import { judgeCallback } from '../oauth/authorization.js';
import { OAuthFault, OAuthRefusal } from '../oauth/provider-problem.js';
import { exchangeCode, toStoredGrant } from '../oauth/request-tokens.js';
import { type Parts } from '../parts.js';
import { derived, type SentBrowser } from './begin-authorization.js';
import { completeCredential } from './complete-credential.js';
import { endSession, type Granted } from './store-connection.js';
import {
  failSession,
  type FoundSession,
  lockSession,
  releaseSession,
  type SessionLock,
  STATUS,
} from './stored-session.js';

interface Asked {
  status: string;
  isInTime: boolean;
  browserHash: string;
  nonce: string | null;
  askedAppId: string | null;
  askedAccount: Record<string, string> | null;
}

/** Time limit, in milliseconds, of the requests to the provider and the attempts to store the grant together. */
const EXCHANGE_MS = 75_000;

const FIND_ASKED = `
  SELECT ${STATUS} AS status, asked_until > now() AS "isInTime", browser_hash AS "browserHash", nonce, asked_app_id AS "askedAppId",
    asked_account AS "askedAccount" FROM connections.connect_sessions
  WHERE org_id = $1 AND id = $2 AND browser_hash IS NOT NULL`;

/** Ends the session with the query parameters of the redirect from the provider. Returns the problem if the user can try again. */
export async function finishAuthorization(
  session: FoundSession,
  piece: Piece,
  back: SentBrowser & { query: string },
  needs: Parts,
): Promise<ConnectProblem | undefined> {
  const { orgId, id } = session;
  // The callback was reloaded or replayed, so the page shows the stored result.
  if (['COMPLETED', 'FAILED'].includes(session.status)) return void nothingToRecord();
  const { rows } = await needs.pool.query<Asked>(FIND_ASKED, [orgId, id]);
  const [asked] = rows;
  if (!asked || asked.browserHash !== hashToken(back.secret)) return unchanged('elsewhere');
  // Another request already holds the lock and ends the session. The page that is returned to this request waits for the result.
  if (asked.status !== 'PENDING') return void nothingToRecord();
  if (!asked.isInTime) return unchanged('late');
  const { nonce } = asked;
  const parameters = new URLSearchParams(back.query);
  const { state, codeVerifier } = derived({ sessionId: id, secret: back.secret, nonce: nonce ?? '' });
  if (nonce === null || parameters.get('state') !== state) return unchanged('replaced');

  const held = await lockSession(needs.pool, orgId, id, nonce);
  if (!held) return void nothingToRecord();
  const sent = { parameters, state, redirectUri: back.redirectUri, codeVerifier };
  // Continues even if the browser disconnects, because a provider exchanges a code only once and the grant must not be lost.
  const asking = { piece, appId: asked.askedAppId, account: asked.askedAccount ?? {}, sent };
  return detached(() => exchange(session, held, asking, needs), EXCHANGE_MS);
}

interface Exchange {
  piece: Piece;
  appId: string | null;
  account: Record<string, string>;
  sent: { parameters: URLSearchParams; state: string; redirectUri: string; codeVerifier: string };
}

/**
 * Exchanges the code and ends the session. Releases the lock after every failure, because the user could otherwise not try again for two minutes. If
 * the process exits between the response of the provider and the commit, the tokens are lost and the user has to connect again: a code works only
 * once, and a provider may treat a second use as theft. If the account cannot be used, the grant is not revoked, because the user probably tries the
 * same account again and a late revocation would end the new grant.
 */
async function exchange(
  session: FoundSession,
  held: SessionLock,
  asking: Exchange,
  needs: Parts,
): Promise<ConnectProblem | undefined> {
  let granted: Granted | { problem: ConnectProblem };
  try {
    granted = await grantOf(session, asking, needs);
  } catch (error) {
    if (error instanceof OAuthRefusal) return end(held, needs, `${error.code}: ${error.message}`);
    await releaseSession(needs.pool, held);
    if (error instanceof OAuthFault) return unchanged('away');
    if (error instanceof AccountError) return unchanged('refused');
    throw error;
  }
  if ('problem' in granted) {
    await releaseSession(needs.pool, held);
    return unchanged(granted.problem.code);
  }
  await endSession(session, held, granted, needs);
  return undefined;
}

async function grantOf(
  { orgId, integrationName }: FoundSession,
  { piece, appId, account, sent }: Exchange,
  { apps, egress, log }: Parts,
): Promise<Granted | { problem: ConnectProblem }> {
  const provider = providerAt(piece, account);
  const app = await apps.find({ orgId, integrationName, id: appId });
  if (!app || !provider) throw new OAuthRefusal('oauth_app_deleted', 'The OAuth app of this authorization was deleted');
  const { parameters, state, redirectUri, codeVerifier } = sent;
  const callback = judgeCallback(provider, app, { parameters, state });
  const send = egress.sendFor(orgId);
  const asking = { send, provider, app };
  const grant = await exchangeCode(asking, {
    callback,
    redirectUri,
    codeVerifier: provider.pkce ? codeVerifier : undefined,
  });
  const { accessToken, refreshToken = '', tokenType, expiresIn } = grant;
  const type = app.id === null ? ('PLATFORM_OAUTH2' as const) : ('OAUTH2' as const);
  const credential = { type, accessToken, tokenType, data: { ...grant.data, ...account } };
  const completed = await completeCredential(
    { piece, credential, secrets: [accessToken, refreshToken] },
    { send, log },
  );
  if (completed.problem) return completed;
  return {
    type,
    plaintext: toStoredGrant({ ...grant, data: completed.credential.data }),
    oauthAppId: app.id,
    expiresIn,
    isRenewable: grant.refreshToken !== undefined,
    label: completed.label,
  };
}

function unchanged(code: string): ConnectProblem {
  nothingToRecord();
  return { code };
}

async function end(held: SessionLock, { pool }: Parts, error: string): Promise<undefined> {
  nothingToRecord();
  await failSession(pool, held, error);
}
