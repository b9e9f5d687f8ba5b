import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError, changeUnknown, type ExecutionSource, type Need, type ServiceName } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { missingCaller } from './errors.js';
import { type Logger } from './log.js';

/** The caller that a call acts for. The gateway sets it once; it travels in call metadata, never in a message field. */
export interface Caller {
  orgId: string;
  userId: string;
  /** Set for an API key. */
  keyId?: string;
  /** Set for a person in a browser. `orgId` is empty while they belong to no organization. */
  sessionId?: string;
  permissions: Permissions;
  /** Grows with each change of the organization's plan. Absent in calls of a gateway of an earlier version. */
  planVersion?: number;
  source: ExecutionSource;
}

export interface CallContext {
  requestId: string;
  /** The service that made the call. */
  from: ServiceName;
  caller?: Caller;
  /** Epoch milliseconds. Nested calls never have a later deadline. */
  deadline: number;
  /** Aborts when the caller disconnects or the deadline passes. */
  signal: AbortSignal;
  /** Collects work that continues in this process after its caller left or its deadline passed. */
  abandoned?: { add(work: Promise<unknown>): void };
  traceparent?: string;
  /** The client's IP address, as the gateway sees it. */
  address?: string;
  /** The logger of the service that serves the call. */
  log: Logger;
  /** Set by dispatch. */
  serving?: Serving;
}

/** The state of the access and audit checks of the current call. */
interface Serving {
  grant: Need;
  /** The RPC must still check the workspaces of its rows. */
  mustAsk: boolean;
  /** The caller lacks the grant: the RPC must still check whether its row names them. */
  mustBeNamed: boolean;
  /** The action name in the audit log. */
  recordedAs?: string;
  /** The audit entry must still be written. */
  mustRecord: boolean;
  /** A retry is not safe. */
  mayChange: boolean;
  /** A change was committed and stays, even if the call fails. */
  hasChanged: boolean;
}

const storage = new AsyncLocalStorage<CallContext>();

export function runInContext<T>(context: CallContext, work: () => T): T {
  return storage.run(context, work);
}

/** Returns a context with its own properties that inherits all others: a copy would lose inherited and computed properties. */
function derivedContext(context: CallContext, own: Partial<CallContext>): CallContext {
  const properties = Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.create(context, Object.fromEntries(properties)) as CallContext;
}

/** Returns the context of a served call. It reads the signal on first use, because a signal is expensive and few calls need one. */
export function servedContext(
  sent: Omit<CallContext, 'signal' | 'log' | 'serving'>,
  log: Logger,
  limit: AbortController,
): CallContext {
  const { requestId, from, caller, deadline, traceparent, address, abandoned } = sent;
  return {
    ...{ requestId, from, caller, deadline, traceparent, address, abandoned, log },
    get signal() {
      return limit.signal;
    },
  };
}

/** Returns the context of the current call, or undefined outside of one (start-up, event consumers). */
export function currentContext(): CallContext | undefined {
  return storage.getStore();
}

/** Returns the caller that the current call acts for. Throws UNAUTHENTICATED if there is none. */
export function caller(): Caller {
  const who = storage.getStore()?.caller;
  if (!who) throw missingCaller();
  return who;
}

/** Continues the current call on behalf of a caller that was not known when it arrived. `own` may also replace its signal and deadline. */
export function runAs<T>(
  own: { caller: Caller } & Partial<Pick<CallContext, 'signal' | 'deadline'>>,
  work: () => Promise<T>,
): Promise<T> {
  const context = currentContext();
  if (!context) throw new Error('There is no current call');
  return runInContext(derivedContext(context, own), work);
}

const NEVER = new AbortController().signal;
const ASK_MS = 10_000;

/**
 * Runs `ask` with its own time limit in milliseconds, detached from the caller: a caller that disconnects must not cancel shared work or the result
 * that others wait for.
 */
export function detached<T>(ask: () => Promise<T>, limitMs = ASK_MS): Promise<T> {
  const context = currentContext();
  if (!context) return ask();
  return runInContext(derivedContext(context, { signal: NEVER, deadline: Date.now() + limitMs }), ask);
}

/**
 * Throws TIMEOUT if the deadline of the current call has passed or its caller has disconnected, outcome_unknown if the call has already changed
 * something. The caller has seen a timeout, so no change may follow; a process that was suspended and resumed finds such calls. Does nothing outside
 * of a call.
 */
export function requireInTime(context: CallContext | undefined = currentContext()): void {
  if (!context) return;
  if (Date.now() < context.deadline && !context.signal.aborted) return;
  if (context.serving?.hasChanged) throw changeUnknown(context.requestId);
  throw new ApiError(
    'TIMEOUT',
    'The deadline of this call has passed, or its caller has disconnected; nothing was changed',
  );
}

/**
 * Awaits a change in the database. After it is committed, a failure of the current call must not read as if nothing had happened. Throws an error
 * with the reason outcome_unknown if `isUnknown` says that the change may have been committed. Outside of a call, or in one that only reads, the
 * failure passes unchanged, because the same work is retried.
 */
export async function makeChange<Result>(
  change: Promise<Result>,
  isUnknown: (failure: unknown) => boolean,
): Promise<Result> {
  try {
    const result = await change;
    const serving = currentContext()?.serving;
    if (serving?.mayChange) serving.hasChanged = true;
    return result;
  } catch (failure) {
    const context = currentContext();
    const isReading = !context || context.serving?.mayChange === false;
    throw isReading || !isUnknown(failure) ? failure : changeUnknown(context.requestId, failure);
  }
}

/** The facts of the current call that an audit log entry needs. */
interface AuditedCall extends Pick<CallContext, 'requestId' | 'address'> {
  /** The action name from the RPC's proto, such as `workspace.create`. */
  action: string;
  caller?: Caller;
}

/**
 * Returns the facts for the audit entry, and marks the call as recorded. Write the entry in the transaction of the change. Throws outside of a
 * recorded RPC.
 */
export function auditedCall(): AuditedCall {
  const context = currentContext();
  const { serving } = context ?? {};
  if (!context || !serving?.recordedAs) throw new Error('The current call is not audited');
  serving.mustRecord = false;
  const { requestId, address, caller } = context;
  return { action: serving.recordedAs, requestId, address, caller };
}

/** Marks the current call as recorded. Call it in an RPC that found nothing to change. */
export function nothingToRecord(): void {
  auditedCall();
}
