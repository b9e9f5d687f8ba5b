import { ApiError, type ExecutionSource } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Caller, type CallContext, type Client, currentContext, isGranted, type Network } from '@drawbridge/rpc';
import { type KeyHolders } from './key-holders.js';

/** A holder without permissions may do nothing: it fails closed. */
const NOTHING = { scope: '' };

/** Renewal fails after this many look-ups whose answers each came too late to count as fresh. */
const LOOKS = 3;

/** The look-up behind a caller, and until when it counts as fresh. */
interface Standing {
  holder: KeyHolder;
  holders: KeyHolders;
  freshUntil: number;
}

const callers = new WeakMap<KeyHolder, Map<ExecutionSource, Caller>>();
const standings = new WeakMap<Caller, Standing>();

/** Returns the same object for the same look-up and source, so that the signed form of a caller can be cached. */
export function toCaller(holder: KeyHolder, holders: KeyHolders, source: ExecutionSource): Caller {
  const known = callers.get(holder) ?? new Map<ExecutionSource, Caller>();
  callers.set(holder, known);
  const before = known.get(source);
  if (before) return before;
  const { orgId, userId, permissions = NOTHING, planVersion } = holder;
  const which = holder.sessionId ? { sessionId: holder.sessionId } : { keyId: holder.keyId };
  const caller = { orgId, userId, ...which, permissions, planVersion, source };
  known.set(source, caller);
  standings.set(caller, { holder, holders, freshUntil: holders.freshUntil(holder) });
  return caller;
}

/** Throws UNAUTHENTICATED without a caller, and FORBIDDEN for a caller of an organization whose permissions grant nothing that this version knows. */
export function requireMayCall(caller: Caller | undefined): asserts caller is Caller {
  if (!caller) throw new ApiError('UNAUTHENTICATED', 'Send a valid API key: Authorization: Bearer <API_KEY>');
  if (caller.orgId !== '' && !isGranted('any', caller.permissions))
    throw new ApiError('FORBIDDEN', 'The permissions of this key allow nothing');
}

/**
 * Wraps a network so that each call looks up its caller again, unless the last look-up is fresh: a request may have waited long, and must run with
 * the permissions that its caller has now. A call rejects like `requireMayCall`, and with UNAVAILABLE when members cannot answer in time.
 */
export function renewingCallers(network: Network): Network {
  return {
    ready: (service) => network.ready(service),
    client(service, definition) {
      const calls = Object.entries(network.client(service, definition)) as [string, Call][];
      const renewing = calls.map(([method, call]): [string, Call] => [
        method,
        (...given) => {
          const renewed = renewCaller();
          return renewed ? renewed.then(() => call(...given)) : call(...given);
        },
      ]);
      return Object.fromEntries(renewing) as Client<typeof definition>;
    },
  };
}

type Call = (...given: unknown[]) => Promise<unknown>;

function renewCaller(): Promise<void> | undefined {
  const context = currentContext();
  if (!context?.caller) return undefined;
  const standing = standings.get(context.caller);
  if (!standing) return undefined; // its endpoint looks up the credentials itself
  return standing.freshUntil > performance.now() ? undefined : renew(context, context.caller, standing);
}

async function renew(context: CallContext, caller: Caller, { holder, holders }: Standing): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await holders.again(holder);
    // A session may have switched to another organization; this request must not run there.
    const renewed = found?.orgId === caller.orgId ? toCaller(found, holders, caller.source) : undefined;
    requireMayCall(renewed);
    context.caller = renewed;
    if (standings.get(renewed)!.freshUntil > performance.now()) return;
  }
  throw new ApiError('UNAVAILABLE', 'It takes too long to look up whose request this is; try again');
}
