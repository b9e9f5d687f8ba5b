import { type ServiceName } from '@drawbridge/contracts';
import { type CallContext, runInContext } from './context.js';
import { type Implementation, type ServiceDefinition } from './definition.js';
import { refused, toApiError } from './errors.js';
import { withSpan } from './trace.js';
import { decodeRequest, encode, methodOf } from './wire-format.js';

/** Who may call: one list for the whole service, or a list for each method. A method without a list is closed. */
export type Callers<D extends ServiceDefinition> =
  readonly ServiceName[] | { readonly [K in keyof D['methods']]: readonly ServiceName[] };

/** A service as it is offered to others, on whatever transport: bytes in, bytes out. */
export interface Exposed {
  definition: ServiceDefinition;
  call(method: string, request: Uint8Array, context: CallContext): Promise<Buffer>;
}

/**
 * Binds an implementation to its definition and to the services that may call it.
 * Each call runs in its context, inside a span; every failure, of reading and writing too, leaves as an ApiError.
 */
export function expose<D extends ServiceDefinition>(
  definition: D,
  implementation: Implementation<D>,
  callers: Callers<D>,
): Exposed {
  const handlers = implementation as Record<string, (request: unknown) => Promise<unknown>>;
  const mayCall = (method: string, from: ServiceName): boolean => {
    const list = Array.isArray(callers) ? callers : (callers as Record<string, readonly ServiceName[]>)[method];
    return list?.includes(from) ?? false;
  };

  return {
    definition,
    async call(method, request, context) {
      if (!mayCall(method, context.from)) throw refused(context.from, definition.fullName, method);
      const name = `${definition.fullName}/${method}`;
      const messages = methodOf(definition, method);
      const answer = async (): Promise<Buffer> =>
        encode(messages.responseType, await handlers[method]!(decodeRequest(messages, request)));
      return runInContext(context, () =>
        withSpan(name, answer).catch((error: unknown) => {
          throw toApiError(error, { call: name, requestId: context.requestId, log: context.log });
        }),
      );
    },
  };
}
