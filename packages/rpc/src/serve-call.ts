import { ApiError, newId, type ServiceName } from '@drawbridge/contracts';
import {
  HealthCheckResponse,
  HealthCheckResponse_ServingStatus,
  HealthDefinition,
} from '@drawbridge/proto/grpc/health/v1/health';
import {
  type handleUnaryCall,
  Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  type ServerUnaryCall,
  status,
} from '@grpc/grpc-js';
import { type CallerTokens, type VerifiedCaller } from './caller-token.js';
import { MAX_CALL_MS } from './client.js';
import { Cancellation } from './cancellation.js';
import { type CallContext, ServedContext } from './context.js';
import { type Exposed } from './dispatch.js';
import { describeError, toApiError } from './errors.js';
import { CLOCK_SKEW, toGrpcError } from './grpc-status.js';
import { type Logger } from './log.js';
import { memoize } from './memoize.js';
import { type ReferenceClock } from './reference-clock.js';
import { DEADLINE_KEY, encode, pathOf, TIME_KEY } from './wire-format.js';

interface AuthenticationOptions {
  /** The service that this process runs. */
  name: ServiceName;
  tokens: CallerTokens;
  ready: () => Promise<string[]>;
  log: Logger;
  clock: ReferenceClock;
}

interface CallerAuthentication {
  intercept: ServerInterceptor;
  /** Returns the verified caller of the call that was sent with this metadata. */
  verified(metadata: Metadata): VerifiedCaller;
}

/** Authenticates each call by its headers before its message is read. Rejects calls without a valid caller token; only health checks need none. */
export function authenticateCallers({ name, tokens, ready, log, clock }: AuthenticationOptions): CallerAuthentication {
  const admitted = new WeakMap<Metadata, VerifiedCaller>();
  const answerHealth = healthAnswers(ready, clock);

  const admit = async (metadata: Metadata, call: ServerInterceptingCallInterface): Promise<boolean> => {
    if (clock.isSkewed()) {
      refuse(
        call,
        new ApiError('UNAVAILABLE', 'The clock of this process differs from the database clock', {
          details: { reason: CLOCK_SKEW },
        }),
      );
      return false;
    }
    try {
      admitted.set(metadata, await tokens.verify(textOf(metadata, 'x-drawbridge-caller'), name));
      return true;
    } catch (error) {
      log.warn({ address: call.getPeer() }, 'refused a call without a valid caller token');
      refuse(call, toApiError(error, { call: 'admission', requestId: '', log }));
      return false;
    }
  };
  const onReceiveMetadata =
    (path: string, call: ServerInterceptingCallInterface) =>
    (metadata: Metadata, read: (metadata: Metadata) => void): void => {
      const done =
        path === HEALTH_PATH ? answerHealth(call) : admit(metadata, call).then((may) => may && read(metadata));
      done.catch((error: unknown) =>
        log.error({ error: describeError(error) }, 'could not send the response of a call'),
      );
    };

  return {
    intercept({ path }, call) {
      const listener = { onReceiveMetadata: onReceiveMetadata(path, call) };
      return new ServerInterceptingCall(call, { start: (next) => next(listener) });
    },
    verified: (metadata) => admitted.get(metadata)!,
  };
}

/** Returns the first value under the key. */
function textOf(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}

function refuse(call: ServerInterceptingCallInterface, error: ApiError): void {
  const { code = status.UNAUTHENTICATED, details = '', metadata } = toGrpcError(error);
  call.sendStatus({ code, details, metadata });
}

type UnaryCall = ServerUnaryCall<Buffer, Buffer>;

/** Serves one method over gRPC: takes an encoded request, and responds with an encoded message or an error. A failure affects no other call. */
export function serveCall(
  rpc: Exposed,
  method: string,
  { log, verified, clock }: { log: Logger; verified(metadata: Metadata): VerifiedCaller; clock: ReferenceClock },
): handleUnaryCall<Buffer, Buffer> {
  return (call, answer) => {
    const { context, end } = contextOf(call, verified(call.metadata), { log, clock });
    const line = { call: `${rpc.definition.fullName}/${method}`, requestId: context.requestId };
    rpc
      .call(method, call.request, context)
      .then(
        (bytes) => answer(null, bytes),
        (error: unknown) => answer(toGrpcError(toApiError(error, { ...line, log }))),
      )
      .catch((error: unknown) => {
        log.error({ ...line, error: describeError(error) }, 'could not send the response of a call');
        answer({ code: status.INTERNAL, details: '' });
      })
      .catch(() => undefined)
      .finally(end);
  };
}

function contextOf(
  call: UnaryCall,
  { from, caller }: VerifiedCaller,
  { log, clock }: { log: Logger; clock: ReferenceClock },
): { context: CallContext; end: () => void } {
  const limit = new Cancellation();
  const deadline = Math.min(Number(call.getDeadline()), deadlineOf(call, clock), Date.now() + MAX_CALL_MS);
  const timer = setTimeout(() => limit.abort(), deadline - Date.now());
  const end = (): void => {
    clearTimeout(timer);
    call.off('cancelled', hangUp);
  };
  const hangUp = (): void => {
    end();
    limit.abort();
  };
  // grpc-js emits this event also for calls that have completed, for which it must have no effect.
  call.on('cancelled', hangUp);
  if (call.cancelled) hangUp();
  const requestId = textOf(call.metadata, 'x-request-id') ?? newId();
  const traceparent = textOf(call.metadata, 'traceparent');
  const address = textOf(call.metadata, 'x-drawbridge-address');
  return { context: new ServedContext({ requestId, from, caller, deadline, traceparent, address }, log, limit), end };
}

/**
 * Returns the caller's deadline converted to this machine's clock. Returns Infinity if the caller sent no deadline, or before the first reading of
 * the reference clock.
 */
function deadlineOf({ metadata }: UnaryCall, clock: ReferenceClock): number {
  const now = clock.now();
  const deadline = Number(textOf(metadata, DEADLINE_KEY) ?? NaN);
  return now === undefined || Number.isNaN(deadline) ? Infinity : Date.now() + deadline - now;
}

const HEALTH_PATH = pathOf(HealthDefinition, HealthDefinition.methods.check);
const FRESH_MS = 1_000;

/**
 * Responds to grpc.health.v1.Health/Check without reading the request, because these callers need no token. Readiness is checked at most once a
 * second. A process with a wrong clock is not ready: other services reject its tokens, and it rejects theirs.
 */
function healthAnswers(
  ready: () => Promise<string[]>,
  clock: ReferenceClock,
): (call: ServerInterceptingCallInterface) => Promise<void> {
  const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus;
  const state = memoize({ ttlMs: FRESH_MS }, () =>
    ready().then(
      (degraded) => ({ status: SERVING, degraded }),
      () => ({ status: NOT_SERVING, degraded: [] }),
    ),
  );
  return async (call) => {
    // The readiness check can update the clock, so it runs before isSkewed().
    const its = await state('');
    const answer = encode(HealthCheckResponse, clock.isSkewed() ? { status: NOT_SERVING, degraded: [] } : its);
    const now = clock.now();
    const metadata = new Metadata();
    if (now !== undefined) metadata.set(TIME_KEY, String(now));
    call.sendMetadata(metadata);
    call.sendMessage(answer, () => call.sendStatus({ code: status.OK, details: 'OK' }));
  };
}
