import { ApiError, invalid, isId, newId, notFound } from '@drawbridge/contracts';
import { type RetentionRule } from '@drawbridge/events';
import { type OAuthClient } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type OAuthClient as Stored, Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type FindDocument, isDocumentId } from './client-documents.js';
import { type Pool } from 'pg';
import { toClientMetadata } from './client-metadata.js';
import { refusal } from './with-grant.js';

export const OLD_CLIENTS: RetentionRule = {
  table: 'mcp.oauth_clients',
  key: 'id',
  oldest: 'expires_at',
  expired: 'expires_at < now()',
};

/** Stored clients that are not used yet. Beyond that the newest replaces the oldest, so that a flood of registrations is limited. */
const UNUSED = 100_000;
const COLUMNS = Prisma.sql`id, name, redirect_uris AS "redirectUris", application_type AS "applicationType", created_at AS "createdAt"`;

interface Clients {
  db: Pick<Db, '$queryRaw'>;
  findDocument: FindDocument;
}

/** Returns a client by its id. Throws NOT_FOUND, and the errors of `findDocument`. */
export async function findClient({ db, findDocument }: Clients, clientId: string): Promise<OAuthClient> {
  if (isDocumentId(clientId)) return findDocument(clientId);
  const [row] = isId(clientId)
    ? await db.$queryRaw<Row[]>`
        SELECT ${COLUMNS} FROM mcp.oauth_clients WHERE id = ${clientId}::uuid AND expires_at > now()`
    : [];
  if (!row) throw notFound('OAuth client', clientId.slice(0, 100));
  return toClient(row);
}

/** Throws VALIDATION_ERROR (`invalid_client`) for a registered client that has expired or never existed: clients register again. */
export async function requireKnownClient(pool: Pool, clientId: string): Promise<void> {
  if (isDocumentId(clientId)) return;
  const { rowCount } = isId(clientId) ? await pool.query({ ...IS_KNOWN, values: [clientId] }) : NONE;
  if (!rowCount) throw refusal('invalid_client', 'client_id is unknown or has expired. Register the client again.');
}

const IS_KNOWN = {
  name: 'is-known-client',
  text: 'SELECT FROM mcp.oauth_clients WHERE id = $1 AND expires_at > now()',
};
const NONE = { rowCount: 0 };

/** Registers a client. Throws VALIDATION_ERROR, whose `details.reason` is the error of RFC 7591. */
export async function registerClient(db: Pick<Db, '$queryRaw'>, metadataJson: string): Promise<OAuthClient> {
  const { name = null, redirectUris, applicationType } = toClientMetadata(parse(metadataJson));
  const [row] = await db.$queryRaw<Row[]>`
    INSERT INTO mcp.oauth_clients (id, name, redirect_uris, application_type, place, expires_at)
    VALUES (${newId()}::uuid, ${name}, ${redirectUris}, ${applicationType},
      nextval('mcp.oauth_client_places') % ${UNUSED}, now() + interval '1 day')
    ON CONFLICT (place) DO UPDATE SET id = excluded.id, name = excluded.name, redirect_uris = excluded.redirect_uris,
      application_type = excluded.application_type, expires_at = excluded.expires_at, created_at = excluded.created_at
    RETURNING ${COLUMNS}`;
  if (!row) throw new ApiError('INTERNAL', 'Nothing was registered');
  return toClient(row);
}

/** Extends the life of a client that is in use, at most once a day. */
export async function keepClient(tx: Prisma.TransactionClient, clientId: string): Promise<void> {
  if (!isId(clientId)) return;
  await tx.$executeRaw`
    UPDATE mcp.oauth_clients SET expires_at = now() + interval '31 days', place = NULL
    WHERE id = ${clientId}::uuid AND expires_at < now() + interval '30 days'`;
}

type Row = Pick<Stored, 'id' | 'name' | 'redirectUris' | 'applicationType' | 'createdAt'>;

function toClient({ id, name, redirectUris, applicationType, createdAt }: Row): OAuthClient {
  return { clientId: id, name: name ?? undefined, redirectUris, applicationType, issuedAt: createdAt.toISOString() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid({ metadataJson: 'must be JSON' });
  }
}
