import {
  HealthCheckResponse,
  HealthCheckResponse_ServingStatus,
  HealthDefinition,
} from '@drawbridge/proto/grpc/health/v1/health';
import { Metadata, type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';
import { memoize } from './memoize.js';
import { type ReferenceClock } from './reference-clock.js';
import { encode, pathOf } from './wire-format.js';

export const HEALTH_PATH = pathOf(HealthDefinition, HealthDefinition.methods.check);
/** Metadata key of the reference clock's time when the answer was sent, in epoch milliseconds. */
export const TIME_KEY = 'x-drawbridge-time';
const FRESH_MS = 1_000;

/**
 * Answers grpc.health.v1.Health/Check without reading the request, because callers need no token. Checks readiness at most once a second. A process
 * whose clock is wrong is not ready: other services reject its tokens, and it rejects theirs.
 */
export function healthAnswers(
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
    // Await readiness first: it takes time, and it may read the clock.
    const its = await state('');
    const answer = encode(HealthCheckResponse, clock.isSkewed() ? { status: NOT_SERVING, degraded: [] } : its);
    const now = clock.now();
    const metadata = new Metadata();
    if (now !== undefined) metadata.set(TIME_KEY, String(now));
    call.sendMetadata(metadata);
    call.sendMessage(answer, () => call.sendStatus({ code: status.OK, details: 'OK' }));
  };
}
