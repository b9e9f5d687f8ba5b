import { ApiError } from '@drawbridge/contracts';
import { EgressError, type Send } from '@drawbridge/egress';
import { type OAuthClient } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { memoize } from '@drawbridge/rpc';
import { toClientMetadata, unfit } from './client-metadata.js';

const REMEMBER_MS = 4.5 * 60_000;
/** An invalid document is not fetched again for this long; a corrected one is accepted soon after. */
const REFUSE_MS = 30_000;
const MAX_KNOWN = 1_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 10_240;
const MAX_ID = 500;

/** Fetches the client metadata at the URL that is the client's id. Throws VALIDATION_ERROR and UNAVAILABLE. */
export type FindDocument = (clientId: string) => Promise<OAuthClient>;

/** Returns whether an id can be the URL of such a document: https, with a path, in its normal form. */
export function isDocumentId(clientId: string): boolean {
  if (clientId.length > MAX_ID || !URL.canParse(clientId)) return false;
  const { protocol, href, pathname, username, password, search, hash } = new URL(clientId);
  const isPlain = href === clientId && username + password + search + hash === '' && !/[?#]$/.test(clientId);
  return protocol === 'https:' && isPlain && pathname !== '/';
}

/** Each host has its own slots, so that a slow host does not block the documents of others. */
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
  if (status !== 200) throw unfit(`The document of the client answered ${status}`);
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw unfit('The document of the client is no JSON');
  const said = parse(body);
  const metadata = toClientMetadata(said);
  if (said['client_id'] !== clientId) throw unfit('The document of the client names another client_id');
  if (said['client_secret'] !== undefined) throw unfit('The document of the client holds a secret');
  return { clientId, ...metadata };
}

function parse(body: Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Record<string, unknown>;
  } catch {
    throw unfit('The document of the client is no JSON');
  }
}

/** Returns VALIDATION_ERROR if the client's URL is at fault, UNAVAILABLE if a retry may succeed. */
function refusalOf({ code, message }: EgressError): ApiError {
  const isAway = code === 'UNREACHABLE' || code === 'TIMEOUT' || code === 'TOO_BUSY' || code === 'ABORTED';
  if (!isAway) return unfit('The document of the client can not be asked for');
  return new ApiError('UNAVAILABLE', `The document of the client can not be had now: ${message}`);
}
