import { ApiError, type ServiceName } from '@drawbridge/contracts';
import { clientOf, mayChange, type Network, type Outgoing, timedOut } from './client.js';
import { Cancellation } from './cancellation.js';
import { ServedContext } from './context.js';
import { methodOf, receive, send, type ServiceDefinition } from './wire-format.js';
import { type Exposed } from './dispatch.js';
import { type Logger } from './log.js';
import { readinessOf, type Service } from './service.js';

const READY_MS = 2_000;

/**
 * Calls services in the same process directly, but copies each message as encoding and decoding it would. Unknown fields and defaults are therefore
 * treated as over gRPC, and no service can change an object of another, so that code that works in one process works in several.
 */
export class LocalNetwork {
  private readonly services = new Map<ServiceName, { service: Service; log: Logger }>();

  register(service: Service, log: Logger): void {
    this.services.set(service.name, { service, log });
  }

  /** Returns the network that a service uses to call the other services. */
  for(from: ServiceName): Network {
    return {
      client: (service, definition) =>
        clientOf(definition, from, (method, request, outgoing) =>
          withinTime(
            () => timedOut(service, mayChange(definition, method)),
            outgoing,
            async (limit) => {
              const { rpc, log } = this.find(service, definition);
              const { requestType, responseType } = methodOf(definition, method);
              const context = new ServedContext(outgoing, log, limit);
              return receive(responseType, await rpc.call(method, send(requestType, request), context));
            },
          ),
        ),
      ready: (service) =>
        withinTime(
          () => timedOut(service, false),
          { deadline: Date.now() + READY_MS },
          async () => {
            const known = this.services.get(service)?.service;
            return known ? readinessOf(known) : [];
          },
        ),
    };
  }

  private find(name: ServiceName, definition: ServiceDefinition): { rpc: Exposed; log: Logger } {
    const found = this.services.get(name);
    const rpc = found?.service.rpcs.find((exposed) => exposed.definition === definition);
    if (!found || !rpc) throw new ApiError('UNAVAILABLE', `${name} is not running`);
    return { rpc, log: found.log };
  }
}

/** Rejects and aborts the call when its deadline passes or its caller disconnects, as gRPC does. */
function withinTime<T>(
  lost: () => Error,
  { leaving, deadline, abandoned }: Pick<Outgoing, 'leaving' | 'deadline' | 'abandoned'>,
  work: (limit: Cancellation) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const limit = new Cancellation();
    let running: Promise<T> | undefined;
    const giveUp = (): void => {
      end();
      limit.abort();
      if (running) abandoned?.add(running);
      reject(lost());
    };
    const end = (): void => {
      clearTimeout(timer);
      leaving?.removeEventListener('abort', giveUp);
    };
    const timer = setTimeout(giveUp, deadline - Date.now());
    leaving?.addEventListener('abort', giveUp);
    if (leaving?.aborted) giveUp();
    else {
      // `finally` would create more promises, and each action makes four calls through this function.
      const pass = (answer: T): void => {
        end();
        resolve(answer);
      };
      running = work(limit);
      running.then(pass, (error: unknown) => {
        end();
        reject(error);
      });
    }
  });
}
