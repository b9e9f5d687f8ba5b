import { AsyncLocalStorage } from 'node:async_hooks';
import { type ExecutionSource, type Need, type ServiceName } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { missingCaller } from './errors.js';
import { type Logger } from './log.js';

/** Whom a call acts for. Set once by the gateway, carried in call metadata, never a message field. */
export interface Caller {
  orgId: string;
  userId: string;
  /** Of an API key. */
  keyId?: string;
  /** Of a person in a browser, whose `orgId` is empty while they belong to no organization. */
  sessionId?: string;
  permissions: Permissions;
  /** Grows with each change of the organization's plan. Absent where a gateway of an earlier version calls. */
  planVersion?: number;
  source: ExecutionSource;
}

export interface CallContext {
  requestId: string;
  /** The service that made the call. */
  from: ServiceName;
  caller?: Caller;
  /** Epoch milliseconds. Shrinks down the chain. */
  deadline: number;
  /** Aborts when the caller hung up or the deadline passed. */
  signal: AbortSignal;
  /** Is given work that goes on in this process although its caller has left or its deadline has passed. */
  abandoned?: { add(work: Promise<unknown>): void };
  traceparent?: string;
  /** Of the client, as the gateway sees it. */
  address?: string;
  /** Of the service that serves the call. */
  log: Logger;
  /** Dispatch sets it. */
  serving?: Serving;
}

/** What is known of the call that is served. */
interface Serving {
  grant: Need;
  /** The places of its rows must still be asked for. */
  mustAsk: boolean;
  /** Who calls is not granted it: whether its row names them must still be asked. */
  mustBeNamed: boolean;
  /** What the audit log calls it. */
  recordedAs?: string;
  /** That must still be written. */
  mustRecord: boolean;
  /** A second call is not the same as one. */
  mayChange: boolean;
  /** Something was changed, and stays so even where the call fails. */
  hasChanged: boolean;
}

const storage = new AsyncLocalStorage<CallContext>();

export function runInContext<T>(context: CallContext, work: () => T): T {
  return storage.run(context, work);
}

/** Returns a context with properties of its own, and all others of the first one: a copy would lose what that one inherits or computes. */
export function derivedContext(context: CallContext, own: Partial<CallContext>): CallContext {
  const properties = Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.create(context, Object.fromEntries(properties)) as CallContext;
}

/** Of a call that is served. Its signal is made when somebody asks for it: it costs more than the rest, and few do. */
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

/** The call being served; absent outside of one (start-up, event consumers). */
export function currentContext(): CallContext | undefined {
  return storage.getStore();
}

/** Whom the current call acts for. Throws UNAUTHENTICATED where nobody is behind it. */
export function caller(): Caller {
  const who = storage.getStore()?.caller;
  if (!who) throw missingCaller();
  return who;
}
