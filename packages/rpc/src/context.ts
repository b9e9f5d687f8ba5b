import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError, changeUnknown, type ExecutionSource, type Need, type ServiceName } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Cancellation, type Leaving } from './cancellation.js';
import { missingCaller } from './errors.js';
import { type Logger } from './log.js';

/** The caller on behalf of which a call is made. The gateway sets it once. It is sent in the metadata of a call, never in a field of a message. */
export interface Caller {
  orgId: string;
  userId: string;
  /** Set for an API key. */
  keyId?: string;
  /** Set for a person in a browser. `orgId` is empty if the person belongs to no organization. */
  sessionId?: string;
  permissions: Permissions;
  /** Increases with each change of the organization's plan. Absent in calls from a gateway of an earlier version. */
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
  /** Reports the same cancellation as `signal`, but creates no AbortSignal. If it is absent, use `signal`. */
  leaving?: Leaving;
  /** Collects work that continues in this process after the caller disconnected or its deadline passed. */
  abandoned?: { add(work: Promise<unknown>): void };
  traceparent?: string;
  /** The client's IP address, as the gateway determined it. */
  address?: string;
  /** The logger of the service that handles the call. */
  log: Logger;
  /** Set by `expose` in dispatch.ts. */
  serving?: Serving;
}

/** The state of the access and audit checks of the current call. */
interface Serving {
  grant: Need;
  /** Set while the RPC must still check that the caller may access the workspaces of its rows. */
  mustAsk: boolean;
  /** Set while the RPC must still check whether its row names the caller, who lacks the grant. */
  mustBeNamed: boolean;
  /** The action name in the audit log. */
  recordedAs?: string;
  /** Set while the audit entry must still be written. */
  mustRecord: boolean;
  /** Set if the call may change something, so that a retry is not safe. */
  mayChange: boolean;
  /** Set after a change was committed. The change remains even if the call fails. */
  hasChanged: boolean;
}

const storage = new AsyncLocalStorage<CallContext>();

export function runInContext<T>(context: CallContext, work: () => T): T {
  return storage.run(context, work);
}

/**
 * Returns a context that has the properties in `own` and inherits all others from `context`. A copy would lose inherited and computed properties. A
 * signal in `own` also replaces `leaving`.
 */
function derivedContext(context: CallContext, own: Partial<CallContext>): CallContext {
  const replaced = own.signal === undefined ? own : { ...own, leaving: own.signal };
  const properties = Object.entries(replaced).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.create(context, Object.fromEntries(properties)) as CallContext;
}

/** The context of an incoming call or request. Reading its signal creates the signal. */
export class ServedContext implements CallContext {
  requestId: string;
  from: ServiceName;
  caller: Caller | undefined;
  deadline: number;
  abandoned: CallContext['abandoned'];
  traceparent: string | undefined;
  address: string | undefined;
  serving: Serving | undefined;

  constructor(
    sent: Omit<CallContext, 'signal' | 'leaving' | 'log' | 'serving'>,
    readonly log: Logger,
    readonly leaving: Cancellation,
  ) {
    this.requestId = sent.requestId;
    this.from = sent.from;
    this.caller = sent.caller;
    this.deadline = sent.deadline;
    this.abandoned = sent.abandoned;
    this.traceparent = sent.traceparent;
    this.address = sent.address;
  }

  get signal(): AbortSignal {
    return this.leaving.signal;
  }
}

/** Returns an object that reports the cancellation of the context, without creating the signal of the context. */
export function leavingOf(context: CallContext): Leaving {
  return context.leaving ?? context.signal;
}

/** Returns the context of the current call, or undefined outside of a call, such as at start-up or in an event consumer. */
export function currentContext(): CallContext | undefined {
  return storage.getStore();
}

/** Returns the caller on behalf of which the current call is made. Throws UNAUTHENTICATED if there is none. */
export function caller(): Caller {
  const who = storage.getStore()?.caller;
  if (!who) throw missingCaller();
  return who;
}

/**
 * Continues the current call on behalf of a caller that was unknown when the call arrived. `own` may also replace the signal and the deadline of the
 * call. Throws outside of a call.
 */
export function runAs<T>(
  own: { caller: Caller } & Partial<Pick<CallContext, 'signal' | 'deadline'>>,
  work: () => Promise<T>,
): Promise<T> {
  const context = currentContext();
  if (!context) throw new Error('runAs must run inside a call, and there is no current call');
  return runInContext(derivedContext(context, own), work);
}

const NEVER = new AbortController().signal;
const ASK_MS = 10_000;

/**
 * Runs `ask` detached from the caller, with a separate time limit in milliseconds. A caller that disconnects must not cancel work that other callers
 * share.
 */
export function detached<T>(ask: () => Promise<T>, limitMs = ASK_MS): Promise<T> {
  const context = currentContext();
  if (!context) return ask();
  return runInContext(derivedContext(context, { signal: NEVER, deadline: Date.now() + limitMs }), ask);
}

/**
 * Throws TIMEOUT if the deadline of the current call has passed or its caller has disconnected. If the call has already committed a change, throws
 * INTERNAL with the reason outcome_unknown instead. Call this before a change: the caller has already received a timeout, for example because the
 * process was suspended and resumed. Does nothing outside of a call.
 */
export function requireInTime(context: CallContext | undefined = currentContext()): void {
  if (!context) return;
  if (Date.now() < context.deadline && !leavingOf(context).aborted) return;
  if (context.serving?.hasChanged) throw changeUnknown(context.requestId);
  throw new ApiError(
    'TIMEOUT',
    'The deadline of this call has passed, or its caller has disconnected; nothing was changed',
  );
}
