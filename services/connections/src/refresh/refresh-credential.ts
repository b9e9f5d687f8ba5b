import { setTimeout as sleep } from 'node:timers/promises';
import { eventValues, unaskedEvent } from '@drawbridge/events';
import { AccountError } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { describeError, keepTrying } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Parts } from '../parts.js';
import { refuseConnection } from '../change-credential.js';
import { type SealedCredential } from '../envelope-encryption.js';
import { accountOf, providerAt } from '../oauth/account-addresses.js';
import { OAuthFault, OAuthRefusal } from '../oauth/provider-problem.js';
import { isGrantRefused, refreshGrant, type TokenGrant, toStoredGrant } from '../oauth/request-tokens.js';
import { GIVE_BACK, HOLDS_TURN, PUT_OFF, STORE, TAKE_TURN } from './statements.js';

export interface Worn {
  connectionId: string;
  orgId: string;
  version: string;
}

type Turn = SealedCredential & {
  turn: number;
  /**
   * True if the previous lock expired without a result: its process exited, hangs, or cannot reach the database. The refresh token may already be
   * used.
   */
  wasInterrupted: boolean;
  integrationName: string;
  oauthAppId: string | null;
  displayName: string;
  workspaceId: string | null;
};

/** Time, in milliseconds, during which storing a new grant is retried, even after the lock expires, because the grant would otherwise be lost. */
const STORE_MS = 5 * 60_000;
const AGAIN_MS = 500;
/** Time, in milliseconds, during which recording a failure is retried. If recording fails, the connection stays locked until the lock expires. */
const NOTE_MS = 30_000;
/**
 * Delay in milliseconds, after an expired lock, before the provider is called. The process that held the lock may have received a new grant that it
 * could not store while the database was unavailable. The delay lets it store the grant first. Many providers revoke the whole grant if a refresh
 * token is used twice.
 */
const LAPSED_MS = 5_000;
/**
 * Time, in milliseconds after taking the lock, within which the provider must be called. The rest of the lock covers its response, which takes up to
 * 30 s.
 */
const ASK_MS = 15_000;

/**
 * Refreshes the credential if no other process does. Stores the lock before it calls the provider, so that an interrupted refresh is detected.
 * Returns `left` if another process has the lock, a back-off applies, or the refresh failed. The row of the connection then contains the cause.
 * Rejects if the database is unavailable.
 */
export async function takeTurn(worn: Worn, needs: Parts): Promise<'renewed' | 'left'> {
  const { pool, log, onCommit } = needs;
  const { connectionId, orgId, version } = worn;
  const values = [connectionId, orgId, version];
  const askBy = performance.now() + ASK_MS;
  const [turn] = (await pool.query<Turn>({ name: 'take-refresh-turn', text: TAKE_TURN, values })).rows;
  if (!turn) return 'left';
  if (turn.wasInterrupted && !(await isStillDue([...values, turn.turn], pool, askBy))) return 'left';
  try {
    await store(await ask(worn, turn, { ...needs, askBy }), { ...worn, ...turn }, needs);
    return 'renewed';
  } catch (error) {
    const refusal = toFinal(error, turn);
    const note = (): Promise<unknown> =>
      refusal ? refuse(pool, { ...worn, ...turn }, refusal) : pool.query(PUT_OFF, [...values, turn.turn]);
    await keepTrying({ until: performance.now() + NOTE_MS, pauseMs: AGAIN_MS }, note);
    const { code } = error as { code?: unknown };
    log.warn({ connectionId, orgId, error: { ...describeError(error), code } }, 'could not refresh a connection');
    return 'left';
  } finally {
    onCommit();
  }
}

async function isStillDue(held: unknown[], pool: Pool, until: number): Promise<boolean> {
  await sleep(LAPSED_MS);
  const { rowCount } = await keepTrying({ until, pauseMs: AGAIN_MS }, () => pool.query(HOLDS_TURN, held));
  return rowCount === 1;
}

async function refuse(
  pool: Pool,
  { connectionId, orgId, version, displayName: name, workspaceId }: Worn & Turn,
  { code, message }: OAuthRefusal,
): Promise<void> {
  const reason = `the provider rejected the refresh: ${code}`;
  const entry = { orgId, action: 'connection.refuse', id: connectionId, name, workspaceId, reason };
  await refuseConnection(pool, { orgId, connectionId, version, code, message }, unaskedEvent('system', entry));
}

async function ask(
  worn: Worn,
  turn: Turn,
  { envelope, egress, apps, askBy }: Parts & { askBy: number },
): Promise<TokenGrant> {
  const { orgId, connectionId } = worn;
  const { integrationName, oauthAppId: id } = turn;
  const owner = { orgId, kind: 'connection', id: connectionId } as const;
  const known = JSON.parse(envelope.open(turn, owner)) as Partial<TokenGrant>;
  const { refreshToken, scope } = known;
  const piece = findPiece(integrationName);
  if (!refreshToken) throw new OAuthRefusal('no_refresh_token', 'The connection has no refresh token');
  const provider = piece && providerAt(piece, known.data ?? {});
  if (!provider)
    throw new OAuthFault('no_integration', `This process has no integration ${integrationName} with OAuth`);
  const app = await apps.find({ orgId, integrationName, id });
  if (!app && id !== null) throw new OAuthRefusal('oauth_app_deleted', 'The OAuth app of the connection was deleted');
  if (!app) throw new OAuthFault('no_oauth_app', 'OAUTH_APPS has no client for this integration');
  // Another process may hold the lock by now and may have used the refresh token, because this process was suspended or the database was slow.
  if (performance.now() > askBy)
    throw new OAuthFault('late', 'The lock expired before the refresh request could be sent');
  const grant = await refreshGrant({ send: egress.sendFor(orgId), provider, app }, refreshToken);
  // Fields that the response omits stay unchanged (RFC 6749, section 5.1). The account values come from the stored credential, because a response
  // must not change the host of the next refresh.
  const data = { ...known.data, ...grant.data, ...accountOf(piece, known.data) };
  return { ...grant, scope: grant.scope ?? scope, data };
}

/** Stores a new grant. Retries while the database is unavailable, because the provider may have invalidated the previous refresh token. */
async function store(grant: TokenGrant, worn: Worn & Turn, { pool, envelope, log }: Parts): Promise<void> {
  const { connectionId, orgId, version, integrationName, oauthAppId, displayName: name, workspaceId } = worn;
  const { sealed, wrappedKey, masterKeyId } = envelope.seal(toStoredGrant(grant), {
    orgId,
    kind: 'connection',
    id: connectionId,
  });
  const reason = 'an interrupted refresh returned a token after the connection was marked as failed';
  const change = { id: connectionId, name, workspaceId, reason };
  const entry = unaskedEvent('system', { orgId, action: 'connection.renew', ...change });
  const stored = [sealed, wrappedKey, masterKeyId, grant.expiresIn ?? null];
  const values = [connectionId, orgId, version, ...stored, ...eventValues(entry)];
  const keep = async (): Promise<void> => {
    // STORE changes no row if the connection was reconnected or deleted. After a deletion, GIVE_BACK replaces the grant that waits for its
    // revocation, so that the new grant is revoked.
    const { rowCount } = await pool.query(STORE, values);
    const kept = [connectionId, orgId, sealed, wrappedKey, masterKeyId, integrationName, oauthAppId];
    if (!rowCount) await pool.query(GIVE_BACK, kept);
  };
  const failed = (error: unknown): void =>
    log.error({ connectionId, error: describeError(error) }, 'could not store a refreshed token; retrying');
  await keepTrying({ until: performance.now() + STORE_MS, pauseMs: AGAIN_MS, failed }, keep);
}

/** Returns the error for the user if the connection can no longer be used. Returns undefined if the refresh is retried. */
function toFinal(error: unknown, { integrationName, wasInterrupted }: Turn): OAuthRefusal | undefined {
  const provider = findPiece(integrationName)?.auth?.oauth2;
  if (error instanceof AccountError) return new OAuthRefusal('connection_incomplete', error.message);
  if (error instanceof OAuthRefusal && ['no_refresh_token', 'oauth_app_deleted'].includes(error.code)) return error;
  if (!provider || !isGrantRefused(provider, error)) return undefined;
  if (!wasInterrupted) return error;
  return new OAuthRefusal(
    error.code,
    'A refresh was interrupted, and the provider no longer accepts the refresh token',
  );
}
