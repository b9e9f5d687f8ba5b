import { ApiError, changeUnknown, cutText, invalid } from '@drawbridge/contracts';
import { type ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Access, ACCESS_TABLE, authorize, isGranted, type Refusal, workspaceOf } from './authorize.js';
import { type CallContext, type Caller, requireInTime, runInContext } from './context.js';
import { decodeRequest, encode, type Implementation, methodOf, type ServiceDefinition } from './wire-format.js';
import { forbiddenCaller, isOutage, missingCaller, toApiError } from './errors.js';
import { rpcDurations } from './process-metrics.js';
import { scopeDenied } from './scope.js';
import { withSpan } from './spans.js';

const MAX_REASON = 300;

/** A service with access terms in its protos: the generated table has a row for each of its methods. */
export type Accessible = ServiceDefinition & { fullName: keyof typeof ACCESS };

/** A service as it is exposed to any transport: bytes in, bytes out. */
export interface Exposed {
  definition: ServiceDefinition;
  call(method: string, request: Uint8Array, context: CallContext, guards?: Guards): Promise<Buffer>;
}

/** Hooks of a service with data, called when dispatch refuses a call. */
export interface Guards {
  find: FindWorkspace;
  /** Receives each refused external call before the refusal is sent. Never rejects. */
  onDenied(denied: DeniedCall): Promise<void>;
}

/** An external call that its caller may not make. */
export interface DeniedCall extends Pick<CallContext, 'requestId' | 'address'> {
  action: string;
  caller: Caller;
  workspaceId?: string;
  /** The id in the request. */
  id?: string;
  reason: string;
}

/** Looks up a workspace that the caller may not enter. Throws NOT_FOUND if the organization does not have it. */
export type FindWorkspace = (id: string) => Promise<unknown>;

/**
 * Binds an implementation to its definition, and each method to the access terms of its proto. Each call runs in its context, inside a span; every
 * failure, also of decoding and encoding, becomes an ApiError.
 */
export function expose<D extends Accessible>(definition: D, implementation: Implementation<D>): Exposed {
  const handlers = implementation as Record<string, (request: unknown) => Promise<unknown>>;
  const accesses = ACCESS_TABLE[definition.fullName]!;
  return {
    definition,
    async call(method, bytes, context, guards) {
      const name = `${definition.fullName}/${method}`;
      const access = accesses[method];
      if (!access?.callers.includes(context.from)) throw forbiddenCaller(context.from, name);
      const messages = methodOf(definition, method);
      let about: Pick<DeniedCall, 'workspaceId' | 'id'> = {};
      const answer = async (): Promise<Buffer> => {
        requireInTime(context);
        const request = decodeRequest(messages, bytes);
        const workspaceId = workspaceOf(request, access);
        about = { workspaceId, id: (request as { id?: string }).id };
        const refusal = authorize(access, context.caller, workspaceId);
        if (refusal) throw await toError(refusal, { access, workspaceId, find: guards?.find });
        const serving = (context.serving = toServing(access, context, workspaceId));
        const response = await handlers[method]!(request);
        if (serving.mustAsk) throw new Error(`${name} must call requireInScope or workspacesInScope`);
        if (serving.mustBeNamed) throw new Error(`${name} must call requireNamed`);
        if (serving.mustRecord) throw new Error(`${name} must write its audit entry`);
        return encode(messages.responseType, response);
      };
      const explain = async (error: unknown): Promise<never> => {
        const { requestId, log } = context;
        const known = toApiError(afterChange(error, context), { call: name, requestId, log });
        const denied = toDenied(known, context);
        if (denied) await guards?.onDenied({ ...denied, ...about, action: access.action });
        throw known;
      };
      return timed(
        name,
        runInContext(context, () => withSpan(name, answer).catch(explain)),
      );
    },
  };
}

async function timed<T>(rpc: string, call: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  let code = 'OK';
  try {
    return await call;
  } catch (error) {
    code = error instanceof ApiError ? error.code : 'INTERNAL';
    throw error;
  } finally {
    rpcDurations.record((performance.now() - startedAt) / 1000, { rpc, code });
  }
}

/** An outage after a change must not read as "try again". An ApiError of the service itself passes: the service knows what it changed. */
function afterChange(error: unknown, { requestId, serving }: CallContext): unknown {
  const isDoubtful = serving?.hasChanged && !(error instanceof ApiError) && isOutage(error);
  return isDoubtful ? changeUnknown(requestId, error) : error;
}

/** Adds guards to a service that can tell another organization's workspace from one that the caller may not enter, and that records refusals. */
export function guarded({ definition, call }: Exposed, guards: Guards): Exposed {
  return { definition, call: (method, request, context) => call(method, request, context, guards) };
}

/** Returns the refusal of an external call. Refusals between services are the calling service's responsibility. */
function toDenied(
  error: ApiError,
  { from, caller, requestId, address }: CallContext,
): Omit<DeniedCall, 'action'> | undefined {
  if (error.status !== 403 || from !== 'gateway' || !caller?.orgId) return undefined;
  return { caller, requestId, address, reason: cutText(`${error.code}: ${error.message}`, MAX_REASON) };
}

function toServing(access: Access, context: CallContext, workspaceId?: string): CallContext['serving'] & object {
  const { grant, action, isRecorded = false, isRepeatable = false, orNamed = false } = access;
  return {
    grant,
    mustAsk: isOpen(access, context, workspaceId),
    mustBeNamed: orNamed && !isGranted(grant, context.caller?.permissions),
    recordedAs: isRecorded ? action : undefined,
    mustRecord: isRecorded,
    mayChange: !isRepeatable,
    hasChanged: false,
  };
}

/** Returns whether the implementation must still check the workspace: only it can read the rows. */
function isOpen({ grant, row, workspace }: Access, { caller }: CallContext, workspaceId: string | undefined): boolean {
  if (grant === 'none' || caller?.permissions.scope === 'org') return false;
  return row === true || (workspace !== undefined && workspaceId === undefined);
}

interface Refused {
  access: Access;
  workspaceId: string | undefined;
  find: FindWorkspace | undefined;
}

async function toError(refusal: Refusal, { access, workspaceId, find }: Refused): Promise<ApiError> {
  switch (refusal) {
    case 'UNAUTHENTICATED':
      return missingCaller();
    case 'FORBIDDEN':
      return new ApiError('FORBIDDEN', `This needs the permission ${access.grant}`);
    case 'VALIDATION_ERROR':
      return invalid({ [access.workspace!.path.join('.')]: 'names no workspace' });
    case 'SCOPE_DENIED':
      if (workspaceId !== undefined) await find?.(workspaceId);
      return scopeDenied(workspaceId);
  }
}
