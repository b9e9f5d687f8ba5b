import { ApiError, notFound } from '@drawbridge/contracts';
import { type OAuthTokens } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { currentContext, runAs } from '@drawbridge/rpc';
import { slotRefused, TenantLimiter } from '@drawbridge/turns';
import { makerOf, requireInUse } from '../access/access.js';
import { findAccess, type FoundAccess, isOAuthEnabled } from '../access/token-access.js';
import { type OAuthGrant, type Prisma, type Server } from '../gen/prisma/client.js';
import { type Parts } from '../parts.js';
import { lockServer } from '../servers/server-rows.js';

/**
 * Limits the OAuth transactions of one server. Each locks the row of the server and uses one of the few database connections of the process, so
 * further transactions must wait before they use a connection.
 */
const OF_SERVER = { atOnce: 2, waiting: 50 };
const NEVER = new AbortController().signal;

/**
 * Runs `work` in one of the slots of a server, with a fair queue for its end users. Throws RATE_LIMITED if too many requests wait, and TIMEOUT if the
 * caller disconnects or its deadline passes while it waits.
 */
export type AtServer = <T>(serverId: string, endUserRecordId: string, work: () => Promise<T>) => Promise<T>;

export function serverSlots(): AtServer {
  const slots = new TenantLimiter(OF_SERVER);
  return async (serverId, endUserRecordId, work) => {
    const { signal = NEVER } = currentContext() ?? {};
    const end = await slots.acquire(serverId, signal, endUserRecordId).catch((cause: unknown) => {
      throw slotRefused(cause, 'Too many requests wait for this MCP server; try again');
    });
    return work().finally(end);
  };
}

/** Returns a server that accepts OAuth and is in use. Throws NOT_FOUND and FORBIDDEN. */
export async function findOAuthServer(parts: Parts, serverId: string): Promise<FoundAccess> {
  const found = await findAccess(parts.pool, serverId, '');
  if (!found || !isOAuthEnabled(found)) throw notFound('MCP server with OAuth', serverId.slice(0, 100));
  await requireInUse(parts, found);
  return found;
}

/** Runs `work` on behalf of the user who created the server, because an OAuth request has no user of the organization. */
export function asMaker<T>(server: FoundAccess, work: () => Promise<T>): Promise<T> {
  return runAs({ caller: makerOf(server) }, work);
}

/** The columns of a grant that never change, so they can be read before the grant is locked. */
export type Place = Pick<OAuthGrant, 'id' | 'orgId' | 'serverId' | 'endUserId' | 'endUserRecordId'>;

/** A locked server and a locked grant. `problem` is set if no request can use the grant, for example because the server is suspended. */
type Locked = { server: Server; grant: OAuthGrant; problem?: ApiError };

/** Returns an error instead of throwing it, so that the transaction commits: if a token was replayed, its grant has been deleted. */
type Work = (tx: Prisma.TransactionClient, locked: Locked) => Promise<OAuthTokens | ApiError>;

/** Runs `work` with the grant locked. Throws VALIDATION_ERROR (`invalid_grant`), and the errors of `AtServer`. */
export async function withGrant(parts: Parts, place: Place, work: Work): Promise<OAuthTokens> {
  const { serverId, endUserRecordId } = place;
  const outcome = await parts.atServer(serverId, endUserRecordId, () => lockedWork(parts, place, work));
  if (outcome instanceof ApiError) throw outcome;
  return outcome;
}

async function lockedWork(parts: Parts, place: Place, work: Work): Promise<OAuthTokens | ApiError> {
  const { id, orgId, serverId } = place;
  const found = await findAccess(parts.pool, serverId, '');
  if (!found || found.orgId !== orgId) return invalidGrant();
  const away = await awayOf(parts, found, place);
  return asMaker(found, () =>
    parts.db.$transaction(async (tx) => {
      const server = await lockServer(tx, serverId).catch(refuseGone);
      await tx.$queryRaw`SELECT FROM mcp.oauth_grants WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid FOR UPDATE`;
      const grant = await tx.oAuthGrant.findFirst({ where: { id, orgId } });
      if (!grant) return invalidGrant();
      return work(tx, { server, grant, problem: away ?? closedOf(server, grant) });
    }),
  );
}

/** Returns an error if the server or the end user of a grant cannot be used. It calls other services, so it must run before the transaction. */
async function awayOf(parts: Parts, found: FoundAccess, person: Place): Promise<ApiError | undefined> {
  try {
    await requireInUse(parts, found);
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND'))
      return invalidGrant('The server is disabled');
    throw error;
  }
  return (await parts.isThere(found, person)) ? undefined : invalidGrant('The end user was deleted');
}

function closedOf(server: Server, { endUserRecordId }: OAuthGrant): ApiError | undefined {
  if (!isOAuthEnabled(server)) return invalidGrant('The server does not use OAuth');
  const isTheirs = server.endUserId === null || server.endUserRecordId === endUserRecordId;
  return isTheirs ? undefined : invalidGrant('The server belongs to another end user');
}

/** Deletes a grant. This also deletes all its tokens. */
export async function endGrant(tx: Prisma.TransactionClient, { id, orgId }: OAuthGrant): Promise<void> {
  await tx.oAuthGrant.deleteMany({ where: { id, orgId } });
}

export function invalidGrant(message = 'It is unknown, used, over, or not for this client'): ApiError {
  return refusal('invalid_grant', message);
}

/** Returns an error of RFC 6749, 5.2. */
export function refusal(reason: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message, { details: { reason } });
}

function refuseGone(error: unknown): never {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') throw invalidGrant();
  throw error;
}
