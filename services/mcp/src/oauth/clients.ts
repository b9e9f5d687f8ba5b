import { ApiError, invalid, isId, newId, notFound } from '@drawbridge/contracts';
import { EgressError, type Send } from '@drawbridge/egress';
import { type OAuthClient } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type OAuthClient as Stored, Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { toClientMetadata, unfit } from './client-metadata.js';
import { refusal } from './grants.js';
import { type Parts } from '../parts.js';

/**
 * Maximum number of registered clients without a grant. Beyond that, a new client replaces the oldest, so that a flood of registrations is limited.
 */
const UNUSED = 100_000;
const COLUMNS = Prisma.sql`id, name, redirect_uris AS "redirectUris", application_type AS "applicationType", created_at AS "createdAt"`;

/** Returns a client by its id. Throws NOT_FOUND, and the errors of `findDocument`. */
export async function findClient({ db, findDocument }: Parts, clientId: string): Promise<OAuthClient> {
  if (isDocumentId(clientId)) return findDocument(clientId);
  const [row] = isId(clientId)
    ? await db.$queryRaw<Row[]>`
        SELECT ${COLUMNS} FROM mcp.oauth_clients WHERE id = ${clientId}::uuid AND expires_at > now()`
    : [];
  if (!row) throw notFound('OAuth client', clientId.slice(0, 100));
  return toClient(row);
}

/** Throws VALIDATION_ERROR (`invalid_client`) for a registered client that has expired or never existed. OAuth clients then register again. */
export async function requireKnownClient(pool: Pool, clientId: string): Promise<void> {
  if (isDocumentId(clientId)) return;
  const isKnown = isId(clientId) && (await pool.query({ ...IS_KNOWN, values: [clientId] })).rowCount === 1;
  if (!isKnown) throw refusal('invalid_client', 'client_id is unknown or has expired. Register the client again.');
}

const IS_KNOWN = {
  name: 'is-known-client',
  text: 'SELECT FROM mcp.oauth_clients WHERE id = $1 AND expires_at > now()',
};

/** Registers a client. Throws VALIDATION_ERROR, with the error of RFC 7591 in `details.reason`. */
export async function registerClient(db: Pick<Db, '$queryRaw'>, metadataJson: string): Promise<OAuthClient> {
  const { name = null, redirectUris, applicationType } = toClientMetadata(parse(metadataJson));
  const [row] = await db.$queryRaw<Row[]>`
    INSERT INTO mcp.oauth_clients (id, name, redirect_uris, application_type, place, expires_at)
    VALUES (${newId()}::uuid, ${name}, ${redirectUris}, ${applicationType},
      nextval('mcp.oauth_client_places') % ${UNUSED}, now() + interval '1 day')
    ON CONFLICT (place) DO UPDATE SET id = excluded.id, name = excluded.name, redirect_uris = excluded.redirect_uris,
      application_type = excluded.application_type, expires_at = excluded.expires_at, created_at = excluded.created_at
    RETURNING ${COLUMNS}`;
  if (!row) throw new ApiError('INTERNAL', 'The client was not registered');
  return toClient(row);
}

/** Extends the lifetime of a client that is in use, at most once a day. */
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

const REMEMBER_MS = 4.5 * 60_000;
/** An invalid metadata document is not fetched again during this time, so a corrected document is accepted only after it. */
const REFUSE_MS = 30_000;
const MAX_KNOWN = 1_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 10_240;
const MAX_ID = 500;

/** Fetches the client metadata at the URL that is the client's id. Throws VALIDATION_ERROR and UNAVAILABLE. */
type FindDocument = (clientId: string) => Promise<OAuthClient>;

/** Returns whether an id can be the URL of a metadata document: https, with a path, in normalized form. */
export function isDocumentId(clientId: string): boolean {
  if (clientId.length > MAX_ID || !URL.canParse(clientId)) return false;
  const { protocol, href, pathname, username, password, search, hash } = new URL(clientId);
  const isPlain = href === clientId && username + password + search + hash === '' && !/[?#]$/.test(clientId);
  return protocol === 'https:' && isPlain && pathname !== '/';
}

/**
 * Returns a function that fetches and caches the metadata documents of clients. Each host has separate egress slots, so that a slow host does not
 * block the documents of other hosts.
 */
export function clientDocuments(sendTo: (host: string) => Send): FindDocument {
  const find = memoize({ ttlMs: REMEMBER_MS, max: MAX_KNOWN }, (url) => fetchDocument(sendTo(new URL(url).host), url));
  const settle = memoize({ ttlMs: REFUSE_MS, max: MAX_KNOWN }, (url) =>
    find(url).then(
      (client) => ({ client }),
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') return { unfit: error };
        throw error;
      },
    ),
  );
  return async (clientId) => {
    const known = await settle(clientId);
    if ('unfit' in known) throw known.unfit;
    return known.client;
  };
}

async function fetchDocument(send: Send, clientId: string): Promise<OAuthClient> {
  const request = { method: 'GET', url: clientId, headers: { accept: 'application/json' } };
  const { status, headers, body } = await send({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }).catch(
    (error: unknown) => {
      if (error instanceof EgressError) throw refusalOf(error);
      throw error;
    },
  );
  if (status !== 200) throw unfit(`The metadata document of the client returned HTTP status ${status} instead of 200`);
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw unfit('The metadata document of the client is not JSON');
  const said = parseDocument(body);
  const metadata = toClientMetadata(said);
  if (said['client_id'] !== clientId)
    throw unfit('The client_id in the metadata document of the client differs from its URL');
  if (said['client_secret'] !== undefined)
    throw unfit('The metadata document of the client must not contain client_secret');
  return { clientId, ...metadata };
}

function parseDocument(body: Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Record<string, unknown>;
  } catch {
    throw unfit('The metadata document of the client is not JSON');
  }
}

/** Converts an error of a fetch to UNAVAILABLE if a retry may succeed, and otherwise to VALIDATION_ERROR. */
function refusalOf({ code, message }: EgressError): ApiError {
  const isAway = code === 'UNREACHABLE' || code === 'TIMEOUT' || code === 'TOO_BUSY' || code === 'ABORTED';
  if (!isAway) return unfit('The metadata document of the client cannot be fetched');
  return new ApiError('UNAVAILABLE', `Could not fetch the metadata document of the client: ${message}`);
}
