import { AsyncLocalStorage } from 'node:async_hooks';
import { type ExecutionSource, type Need, type ServiceName } from '@drawbridge/contracts';
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
export function derivedContext(context: CallContext, own: Partial<CallContext>): CallContext {
  const properties = Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.create(context, Object.fromEntries(properties)) as CallContext;
}

/** The context of a served call. Creates its signal on first use, because a signal is expensive and few calls need one. */
export class ServedContext implements CallContext {
  serving?: CallContext['serving'];
  readonly requestId: string;
  readonly from: ServiceName;
  readonly caller?: Caller;
  readonly deadline: number;
  readonly traceparent?: string;
  readonly address?: string;
  readonly abandoned?: CallContext['abandoned'];

  constructor(
    sent: Omit<CallContext, 'signal' | 'log' | 'serving'>,
    readonly log: Logger,
    private readonly limit: AbortController,
  ) {
    this.requestId = sent.requestId;
    this.from = sent.from;
    this.caller = sent.caller;
    this.deadline = sent.deadline;
    this.traceparent = sent.traceparent;
    this.address = sent.address;
    this.abandoned = sent.abandoned;
  }

  get signal(): AbortSignal {
    return this.limit.signal;
  }
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
