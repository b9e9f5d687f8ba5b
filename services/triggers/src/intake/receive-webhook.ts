import { hash } from 'node:crypto';
import { ApiError } from '@drawbridge/contracts';
import { type HandshakeReply, type Proof, type WebhookRequest } from '@drawbridge/piece-kit';
import { type HookReply, type HookServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/hooks';
import { type Implementation } from '@drawbridge/rpc';
import { type BacklogLimit } from '../backlog/backlog-limit.js';
import { type InboundTrigger } from '../sources/find-trigger.js';
import { type WorkspaceStates } from '../suspension/workspace-states.js';
import { type Address, type FindAddress, type Place } from './addresses.js';

const RETRY_AFTER_SECONDS = 60;
/**
 * Maximum size of the body of a handshake, in bytes. A handshake is parsed before the request is verified, so any client could otherwise make each
 * trigger of the address parse a large body.
 */
const MAX_HANDSHAKE_BYTES = 65_536;
/** Maximum length of a secret that a provider chooses in a handshake, in characters. */
const MAX_SECRET = 1_000;

interface Parts {
  find: FindAddress;
  states: Pick<WorkspaceStates, 'find'>;
  backlog: Pick<BacklogLimit, 'take'>;
  /** Wakes the outbox relay after a request was stored. */
  wake(): void;
}

/** Implements the RPC for requests from providers. Responds to a handshake, rejects the request, or stores it before it responds with success. */
export const hooks = ({ find, states, backlog, wake }: Parts): Implementation<HookServiceDefinition> => ({
  async receiveHook({ integrationName, hookId, ...request }) {
    const address = await find(integrationName, hookId);
    if (!address) throw unknownHook();
    const secret = await address.secret();
    let [verdict, signedWith] = [judged(address, request, secret), secret];
    if ('isVerified' in verdict && !verdict.isVerified) {
      signedWith = await address.secret(true);
      if (signedWith !== secret) verdict = judged(address, request, signedWith);
    }
    if ('reply' in verdict) return acceptHandshake(address, request, verdict.reply);
    if (!verdict.isVerified) throw notVerified(request);
    const open = await requireOpen(states, address.places);
    const places = await requireBacklogLimit(backlog, open, request.body.length);
    const headers = storedHeaders(request.headers, signedWith);
    const url = storedUrl(request.url, signedWith);
    if (!(await address.store({ ...request, url, headers }, places))) throw unknownHook();
    wake();
    return { status: 200, headers: {}, body: '', isStored: true };
  },
});

function judged({ triggers, webhookUrl }: Address, request: WebhookRequest, secret: string): Verdict {
  return judge(triggers, request, { secret, now: Date.now(), webhookUrl });
}

/**
 * Responds to a handshake. Stores the secret of the provider, but only while the trigger is being enabled, because any client that knows the address
 * could send a secret later. Throws UNAUTHENTICATED for a secret that arrives later.
 */
async function acceptHandshake(address: Address, request: WebhookRequest, reply: HandshakeReply): Promise<HookReply> {
  const { secret } = reply;
  if (secret !== undefined && (secret === '' || secret.length > MAX_SECRET || !(await address.choose(secret))))
    throw notVerified(request);
  return toReply(reply);
}

/**
 * Returns the sources of workspaces that are neither suspended nor deleted. If the state of a workspace is unknown, its sources are included: the
 * request is stored, and its deliveries wait until the state is known. If no source remains, throws NOT_FOUND for deleted workspaces and FORBIDDEN
 * for a suspended workspace.
 */
async function requireOpen(states: Parts['states'], places: readonly Place[] = []): Promise<Place[]> {
  const found = await Promise.all(places.map((place) => states.find(place).catch(() => 'live' as const)));
  const open = places.filter((_, index) => found[index] === 'live');
  if (open.length > 0 || places.length === 0) return open;
  if (!found.includes('suspended')) throw unknownHook();
  // Omits the id of the workspace, because the error is sent to the provider.
  throw new ApiError('FORBIDDEN', 'The workspace of this webhook is suspended', { details: { reason: 'suspended' } });
}

/**
 * Returns the sources with backlog limits that allow the request. If a webhook is shared, the remaining sources lose the request, because the
 * provider cannot send it to them separately. Throws RATE_LIMITED if all sources are at their limit. Requests to an app are counted later, when their
 * sources are determined.
 */
async function requireBacklogLimit(
  backlog: Parts['backlog'],
  places: readonly Place[],
  bytes: number,
): Promise<readonly Place[]> {
  const taken = await Promise.all(places.map((place) => backlog.take(place, { rows: 1, bytes })));
  const within = places.filter((_, index) => taken[index]);
  if (within.length > 0 || places.length === 0) return within;
  const why = 'The backlog limit of this webhook or its organization is reached. Send the event again later';
  throw new ApiError('RATE_LIMITED', why, { details: { retryAfter: RETRY_AFTER_SECONDS } });
}

function toReply({ status = 200, headers = {}, body = '' }: HandshakeReply): HookReply {
  return { status, headers: { ...headers }, body, isStored: false };
}

/** Returns the error for an unknown address. It omits the hook id, because any client that knows the id can send requests to the address. */
function unknownHook(): ApiError {
  return new ApiError('NOT_FOUND', 'The webhook does not exist or is disabled. Check its URL');
}

function notVerified({ method }: WebhookRequest): ApiError {
  return method === 'POST'
    ? new ApiError(
        'UNAUTHENTICATED',
        'The signature of the request is missing or wrong. Check the webhook secret at the provider',
      )
    : new ApiError('METHOD_NOT_ALLOWED', 'Events are sent by POST');
}

/** Either the response to a handshake of the provider, or whether the request is authentic. */
type Verdict = { reply: HandshakeReply } | { isVerified: boolean };

/** Verifies a request with the code of the triggers of an address, and returns the response to a handshake. */
export function judge(triggers: readonly InboundTrigger[], request: WebhookRequest, proof: Proof): Verdict {
  for (const trigger of request.body.length > MAX_HANDSHAKE_BYTES ? [] : triggers) {
    const reply = trigger.handshake?.(request, proof);
    if (reply) return { reply };
  }
  return { isVerified: request.method === 'POST' && triggers.some((trigger) => trigger.verify(request, proof)) };
}

/** Headers that are never stored, because they authenticate the sender and do not describe the event. */
const NEVER = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Returns the headers to store with a request, without headers that authenticate the sender. */
export function storedHeaders(headers: Readonly<Record<string, string>>, secret: string): Record<string, string> {
  const isProof = proofsOf(secret);
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => !NEVER.has(name) && !isProof(value)));
}

/** Returns the URL to store with a request, without the secret. Providers that sign nothing send the secret in the query of the URL. */
export function storedUrl(url: string, secret: string): string {
  return secret === '' ? url : url.replaceAll(secret, '');
}

/** Matches a secret that can contain a SHA-256 hash. */
const HASH = /[0-9a-f]{64}/;

/** Returns whether a header value contains the secret, or has a SHA-256 hash that is in the secret. */
function proofsOf(secret: string): (value: string) => boolean {
  if (secret === '') return () => false;
  const hasHash = HASH.test(secret);
  return (value) => value.includes(secret) || (hasHash && secret.includes(hash('sha256', value)));
}
