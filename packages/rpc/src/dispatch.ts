import { ApiError, invalid } from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Access, authorize, type Refusal, workspaceOf } from './authorize.js';
import { type CallContext, runInContext } from './context.js';
import { type Implementation, type ServiceDefinition } from './definition.js';
import { missingCaller, forbiddenCaller, toApiError } from './errors.js';
import { withSpan } from './trace.js';
import { decodeRequest, encode, methodOf } from './wire-format.js';

const TABLE: { [service: string]: { readonly [method: string]: Access } } = ACCESS;

/** A service whose protos say who may call it: the generated table has a row for each of its methods. */
export type Accessible = ServiceDefinition & { fullName: keyof typeof ACCESS };

/** A service as it is offered to others, on whatever transport: bytes in, bytes out. */
export interface Exposed {
  definition: ServiceDefinition;
  call(method: string, request: Uint8Array, context: CallContext): Promise<Buffer>;
}

/**
 * Binds an implementation to its definition, and each method to the access that its proto declares.
 * Each call runs in its context, inside a span; every failure, of reading and writing too, leaves as an ApiError.
 */
export function expose<D extends Accessible>(definition: D, implementation: Implementation<D>): Exposed {
  const handlers = implementation as Record<string, (request: unknown) => Promise<unknown>>;
  const accesses = TABLE[definition.fullName]!;
  return {
    definition,
    async call(method, bytes, context) {
      const name = `${definition.fullName}/${method}`;
      const access = accesses[method];
      if (!access?.callers.includes(context.from)) throw forbiddenCaller(context.from, name);
      const messages = methodOf(definition, method);
      const answer = async (): Promise<Buffer> => {
        const request = decodeRequest(messages, bytes);
        requireAccess(access, request, context);
        return encode(messages.responseType, await handlers[method]!(request));
      };
      return runInContext(context, () =>
        withSpan(name, answer).catch((error: unknown) => {
          throw toApiError(error, { call: name, requestId: context.requestId, log: context.log });
        }),
      );
    },
  };
}

function requireAccess(access: Access, request: unknown, { caller }: CallContext): void {
  const refusal = authorize(access, caller, workspaceOf(request, access));
  if (refusal) throw REFUSALS[refusal](access);
}

const REFUSALS: Record<Refusal, (access: Access) => ApiError> = {
  UNAUTHENTICATED: missingCaller,
  FORBIDDEN: ({ grant }) => new ApiError('FORBIDDEN', `This needs the permission ${grant}`),
  VALIDATION_ERROR: ({ workspace }) => invalid({ [workspace!.path.join('.')]: 'names no workspace' }),
};
