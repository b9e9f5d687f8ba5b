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
/** The reference clock's time, in epoch milliseconds, when the answer was sent. */
export const TIME_KEY = 'x-drawbridge-time';
const FRESH_MS = 1_000;

/**
 * Answers grpc.health.v1.Health/Check without reading what was sent: nothing of it matters, and anybody may send it. The
 * service is asked once a second at most. A process whose clock is wrong can not work: its tokens are refused, and it refuses others'.
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
    // After the readiness is known: it may read the clock, and takes its time.
    const its = await state('');
    const answer = encode(HealthCheckResponse, clock.isSkewed() ? { status: NOT_SERVING, degraded: [] } : its);
    const now = clock.now();
    const metadata = new Metadata();
    if (now !== undefined) metadata.set(TIME_KEY, String(now));
    call.sendMetadata(metadata);
    call.sendMessage(answer, () => call.sendStatus({ code: status.OK, details: 'OK' }));
  };
}
