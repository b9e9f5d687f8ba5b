import { ApiError, type ServiceName } from '@drawbridge/contracts';
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { type CallerTokens, type VerifiedCaller } from './caller-token.js';
import { describeError, toApiError } from './errors.js';
import { HEALTH_PATH, healthAnswers } from './grpc-health.js';
import { CLOCK_SKEW, toGrpcError } from './grpc-status.js';
import { type Logger } from './log.js';
import { type ReferenceClock } from './reference-clock.js';

export interface AuthenticationOptions {
  /** The service that this process serves. */
  name: ServiceName;
  tokens: CallerTokens;
  ready: () => Promise<string[]>;
  log: Logger;
  clock: ReferenceClock;
}

export interface CallerAuthentication {
  intercept: ServerInterceptor;
  /** Returns the verified caller of the call that sent this metadata. */
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
        new ApiError('UNAVAILABLE', 'The clock of this process is wrong', { details: { reason: CLOCK_SKEW } }),
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
      done.catch((error: unknown) => log.error({ error: describeError(error) }, 'a call could not be answered'));
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
export function textOf(metadata: Metadata, key: string): string | undefined {
  const [value] = metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}

function refuse(call: ServerInterceptingCallInterface, error: ApiError): void {
  const { code = status.UNAUTHENTICATED, details = '', metadata } = toGrpcError(error);
  call.sendStatus({ code, details, metadata });
}
