import { newId } from '@drawbridge/contracts';
import { type handleUnaryCall, type Metadata, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { type VerifiedCaller } from './caller-token.js';
import { MAX_CALL_MS } from './client.js';
import { ServedContext } from './context.js';
import { type Exposed } from './dispatch.js';
import { describeError, toApiError } from './errors.js';
import { textOf } from './authenticate-callers.js';
import { DEADLINE_KEY } from './grpc-client.js';
import { toGrpcError } from './grpc-status.js';
import { type Logger } from './log.js';
import { type ReferenceClock } from './reference-clock.js';

type UnaryCall = ServerUnaryCall<Buffer, Buffer>;

/** Serves one method over gRPC: bytes in, bytes or an error out. Every failure is answered, and affects no other call. */
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
        log.error({ ...line, error: describeError(error) }, 'a call could not be answered');
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
): { context: ServedContext; end: () => void } {
  const limit = new AbortController();
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
  // grpc-js emits this for every call that ends; it matters only for a call that has not ended.
  call.on('cancelled', hangUp);
  if (call.cancelled) hangUp();
  const requestId = textOf(call.metadata, 'x-request-id') ?? newId();
  const traceparent = textOf(call.metadata, 'traceparent');
  const address = textOf(call.metadata, 'x-drawbridge-address');
  return { context: new ServedContext({ requestId, from, caller, deadline, traceparent, address }, log, limit), end };
}

/** Returns the caller's deadline by this machine's clock; Infinity if the caller sent none, or before this process knows the reference clock. */
function deadlineOf({ metadata }: UnaryCall, clock: ReferenceClock): number {
  const now = clock.now();
  const deadline = Number(textOf(metadata, DEADLINE_KEY) ?? NaN);
  return now === undefined || Number.isNaN(deadline) ? Infinity : Date.now() + deadline - now;
}
