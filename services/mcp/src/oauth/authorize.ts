import { ApiError, hashToken, MCP_CODE, newId, newToken } from '@drawbridge/contracts';
import { type GetIdentityRequest, type Identity } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import {
  type Authorization,
  type AuthorizationCode,
  type AuthorizeRequest,
  type GetAuthorizationRequest,
  type Person,
} from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type EndUser, type FoundAccess, isOAuthEnabled, scopesOf } from '../access/token-access.js';
import { type Prisma } from '../gen/prisma/client.js';
import { lockServer } from '../servers/server-rows.js';
import { keepClient } from './clients.js';
import { asMaker, findOAuthServer } from './grants.js';
import { type Parts } from '../parts.js';

/** Maximum number of grants of one end user for one server. A further grant revokes the oldest. */
const MAX_GRANTS = 100;

/** Returns the content of the consent page. Throws NOT_FOUND and FORBIDDEN. */
export async function getAuthorization(
  parts: Parts,
  { serverId, person }: GetAuthorizationRequest,
): Promise<Authorization> {
  const server = await findOAuthServer(parts, serverId);
  const { id, name: serverName, orgId, workspaceId, mode } = server;
  const said = { serverId: id, serverName, orgId, workspaceId, scopes: scopesOf(mode), refusal: '' };
  if (!person) return said;
  const identity = await parts.identities.getIdentity(toAsked(server, person));
  const { displayName, externalId, provenEmail } = identity;
  const refusal = refusalOf(server, person, identity);
  return { ...said, provenEmail, endUserName: displayName ?? externalId, refusal };
}

function toAsked({ orgId, workspaceId: placeId }: FoundAccess, person: Person): GetIdentityRequest {
  const { flowHash, userId, email, name = '' } = person;
  return { orgId, placeId, flowHash, account: userId === undefined ? undefined : { userId, email, name } };
}

/** Returns the reason why a user may not authorize a client, or '' if the user may authorize it or is not identified yet. */
function refusalOf(server: FoundAccess, person: Person, { id, isAmbiguous, provenEmail }: Identity): string {
  if (isAmbiguous) return 'ambiguous';
  if (id !== undefined) return server.endUserId !== null && id !== server.endUserRecordId ? 'another' : '';
  const isSomebody = person.userId !== undefined || provenEmail !== undefined;
  return isSomebody && !(provenEmail === undefined && mayCreate(server)) ? 'unknown' : '';
}

/** Returns whether a signed-in user without an end user record may get one: the server must be open and not be for one end user only. */
const mayCreate = ({ endUserAccess, endUserId }: FoundAccess): boolean =>
  endUserAccess === 'open' && endUserId === null;

/** Stores the grant of an end user to an OAuth client and returns its code. Throws NOT_FOUND, FORBIDDEN, RATE_LIMITED and TIMEOUT (`AtServer`). */
export async function authorize(parts: Parts, request: AuthorizeRequest): Promise<AuthorizationCode> {
  const person = request.person!;
  // This check runs before `identify`, which links the user to an end user. A user who may not authorize the client must not be linked.
  const { server } = await findAllowedPerson(parts, { serverId: request.serverId, person });
  const who = toAsked(server, person);
  const { id, externalId } = await parts.identities.identify({ who, mayCreate: mayCreate(server) });
  const endUser = { endUserId: externalId!, endUserRecordId: id! };
  const code = newToken(MCP_CODE);
  const insert = (tx: Prisma.TransactionClient) => insertGrant(tx, parts, { request, endUser, code });
  await parts.atServer(server.id, id!, () => asMaker(server, () => parts.db.$transaction(insert)));
  return { code };
}

/** Returns the server, and the externalId of the end user if they have a record. Throws NOT_FOUND and FORBIDDEN. */
export async function findAllowedPerson(
  parts: Parts,
  { serverId, person }: { serverId: string; person: Person },
): Promise<{ server: FoundAccess; externalId?: string }> {
  const server = await findOAuthServer(parts, serverId);
  const identity = await parts.identities.getIdentity(toAsked(server, person));
  const isSomebody = person.userId !== undefined || identity.provenEmail !== undefined;
  const refusal = isSomebody ? refusalOf(server, person, identity) : 'unknown';
  if (refusal !== '') throw refused(refusal);
  return { server, externalId: identity.externalId };
}

interface NewGrant {
  request: AuthorizeRequest;
  endUser: EndUser;
  code: string;
}

/** Inserts a grant under the lock of its server, so that a concurrent change that disables OAuth also revokes this grant. */
async function insertGrant(
  tx: Prisma.TransactionClient,
  { guard, outbox }: Parts,
  { request, endUser: { endUserId, endUserRecordId }, code }: NewGrant,
): Promise<void> {
  const { clientId, clientName, codeChallenge, redirectUri, person } = request;
  const server = await lockServer(tx, request.serverId);
  const { id: serverId, orgId, workspaceId, mode } = server;
  await guard.requireNotDeleted(tx, workspaceId);
  if (!isOAuthEnabled(server)) throw refused('unknown');
  if (server.endUserId !== null && server.endUserRecordId !== endUserRecordId) throw refused('another');
  const scopes = scopesOf(mode).filter((scope) => request.scopes.includes(scope));
  await keepClient(tx, clientId);
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO mcp.oauth_grants (id, org_id, workspace_id, server_id, end_user_id, end_user_record_id, client_id, scopes,
      code_hash, code_challenge, redirect_uri, code_expires_at, expires_at)
    VALUES (${id}::uuid, ${orgId}::uuid, ${workspaceId}::uuid, ${serverId}::uuid, ${endUserId}, ${endUserRecordId}::uuid,
      ${clientId}, ${scopes}, ${hashToken(code)}, ${codeChallenge}, ${redirectUri}, now() + interval '60 seconds',
      now() + interval '1 hour')`;
  await tx.$executeRaw`
    DELETE FROM mcp.oauth_grants WHERE org_id = ${orgId}::uuid AND id IN (
      SELECT id FROM mcp.oauth_grants WHERE server_id = ${serverId}::uuid AND end_user_record_id = ${endUserRecordId}::uuid
      ORDER BY id DESC OFFSET ${MAX_GRANTS})`;
  const reason = `for end user ${endUserId}, ${clientName ?? 'a program'} (${clientId}): ${scopes.join(' ')}`;
  const change = { id: serverId, name: server.name, workspaceId, reason };
  await outbox.record(tx, change, { orgId, userId: person?.userId ?? '' });
}

function refused(reason: string): ApiError {
  return new ApiError('FORBIDDEN', 'This user cannot authorize clients for the server', { details: { reason } });
}
