import {
  HealthCheckResponse,
  HealthCheckResponse_ServingStatus,
  HealthDefinition,
} from '@drawbridge/proto/grpc/health/v1/health';
import { type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';
import { memoize } from './memoize.js';
import { encode, pathOf } from './wire-format.js';

export const HEALTH_PATH = pathOf(HealthDefinition, HealthDefinition.methods.check);
const FRESH_MS = 1_000;

/**
 * Answers grpc.health.v1.Health/Check without reading what was sent: nothing of it matters, and anybody may send it. The
 * service is asked once a second at most.
 */
export function healthAnswers(ready: () => Promise<void>): (call: ServerInterceptingCallInterface) => Promise<void> {
  const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus;
  const state = memoize({ ttlMs: FRESH_MS }, () =>
    ready().then(
      () => SERVING,
      () => NOT_SERVING,
    ),
  );
  return async (call) => {
    const answer = encode(HealthCheckResponse, { status: await state('') });
    call.sendMessage(answer, () => call.sendStatus({ code: status.OK, details: 'OK' }));
  };
}
