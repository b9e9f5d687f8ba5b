import { ApiError, type ServiceName } from '@drawbridge/contracts';
import { clientOf, type Network, timedOut } from './client.js';
import { type CallContext } from './context.js';
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
          const context = { ...outgoing, signal: outgoing.signal ?? NEVER, log };
          return withinTime(service, callThroughCodec(rpc, method, request, context), context);
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
  context: CallContext,
): Promise<unknown> {
  const { requestType, responseType } = methodOf(rpc.definition, method);
  const copy = requestType.decode(requestType.encode(request).finish());
  const response = await rpc.call(method, copy, context);
  return responseType.decode(responseType.encode(response).finish());
}

/** The caller goes on when its time is up or it was left; the callee hears of it through the same signal. */
function withinTime<T>(service: string, work: Promise<T>, { signal, deadline }: CallContext): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      end();
      reject(timedOut(service));
    };
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    const timer = setTimeout(giveUp, deadline - Date.now());
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    work.finally(end).then(resolve, reject);
  });
}
