import { ApiError, type ExecutionSource } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Caller, type CallContext, type Client, currentContext, isGranted, type Network } from '@drawbridge/rpc';
import { type KeyHolders } from './key-holders.js';

/** A holder without permissions may do nothing: it fails closed. */
const NOTHING = { scope: '' };

/** Members is slow when each of so many answers comes too late to be one about now. */
const LOOKS = 3;

/** Who a caller is, by whom, and until when they count as looked up just now. */
interface Standing {
  holder: KeyHolder;
  holders: KeyHolders;
  freshUntil: number;
}

const callers = new WeakMap<KeyHolder, Map<ExecutionSource, Caller>>();
const standings = new WeakMap<Caller, Standing>();

/** One object for each look-up and source, so that what is signed for a caller can be remembered. */
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

/** Throws UNAUTHENTICATED without a caller, FORBIDDEN for one of an organization whose permissions say nothing that we know. */
export function requireMayCall(caller: Caller | undefined): asserts caller is Caller {
  if (!caller) throw new ApiError('UNAUTHENTICATED', 'Send a valid API key: Authorization: Bearer <API_KEY>');
  if (caller.orgId !== '' && !isGranted('any', caller.permissions))
    throw new ApiError('FORBIDDEN', 'The permissions of this key allow nothing');
}

/**
 * The same network, where a call leaves however long its request waited until then: as it is while its caller was looked up just now; else
 * they are again, and what they may do from here on is what they may do now. A call rejects as `requireMayCall` then, and with
 * UNAVAILABLE when members can't be asked in time.
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
  if (!standing) return undefined; // it comes through a door that looks it up itself
  return standing.freshUntil > performance.now() ? undefined : renew(context, context.caller, standing);
}

async function renew(context: CallContext, caller: Caller, { holder, holders }: Standing): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await holders.again(holder);
    // A session may have gone on to another organization, which is not the one that this request is about.
    const renewed = found?.orgId === caller.orgId ? toCaller(found, holders, caller.source) : undefined;
    requireMayCall(renewed);
    context.caller = renewed;
    if (standings.get(renewed)!.freshUntil > performance.now()) return;
  }
  throw new ApiError('UNAVAILABLE', 'It takes too long to look up whose request this is; try again');
}
