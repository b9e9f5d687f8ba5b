import { ApiError, type ServiceName } from '@drawbridge/contracts';
import { clientOf, type Network, type Outgoing, timedOut } from './client.js';
import { type ServiceDefinition } from './definition.js';
import { type Exposed, methodOf } from './dispatch.js';
import { type Logger } from './log.js';
import { type Service } from './serve.js';

const NEVER = new AbortController().signal;

/**
 * Services in one process call each other directly, but through the codec: copies, dropped unknown fields and defaults are
 * those of the wire, so that what works here works over gRPC.
 */
export class LocalNetwork {
  private readonly services = new Map<ServiceName, { service: Service; log: Logger }>();

  register(service: Service, log: Logger): void {
    this.services.set(service.name, { service, log });
  }

  /** The network as one service sees it. */
  for(from: ServiceName): Network {
    return {
      client: (service, definition) =>
        clientOf(definition, from, (method, request, outgoing) => {
          const { rpc, log } = this.find(service, definition);
          return callThroughCodec(rpc, method, request, { ...outgoing, signal: outgoing.signal ?? NEVER, log });
        }),
      ready: async (service) => this.services.get(service)?.service.ready?.(),
    };
  }

  private find(name: ServiceName, definition: ServiceDefinition): { rpc: Exposed; log: Logger } {
    const found = this.services.get(name);
    const rpc = found?.service.rpcs.find((exposed) => exposed.definition === definition);
    if (!found || !rpc) throw new ApiError('UNAVAILABLE', `${name} is not running`);
    return { rpc, log: found.log };
  }
}

async function callThroughCodec(
  rpc: Exposed,
  method: string,
  request: unknown,
  context: Required<Pick<Outgoing, 'signal'>> & Outgoing & { log: Logger },
): Promise<unknown> {
  const { requestType, responseType } = methodOf(rpc.definition, method);
  const copy = requestType.decode(requestType.encode(request).finish());
  const response = await untilAborted(rpc.call(method, copy, context), context);
  return responseType.decode(responseType.encode(response).finish());
}

/** The caller goes on when its time is up or it was left; the callee hears of it through the same signal. */
function untilAborted<T>(work: Promise<T>, { signal, from }: { signal: AbortSignal; from: string }): Promise<T> {
  if (signal === NEVER) return work;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(timedOut(from));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
