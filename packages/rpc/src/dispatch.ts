import { ApiError, changeUnknown, cutText, invalid } from '@drawbridge/contracts';
import { type ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Access, ACCESS_TABLE, authorize, isGranted, type Refusal, workspaceOf } from './authorize.js';
import { type CallContext, type Caller, requireInTime, runInContext } from './context.js';
import {
  type Implementation,
  methodOf,
  receiveRequest,
  sendBack,
  type Sent,
  type ServiceDefinition,
} from './wire-format.js';
import { forbiddenCaller, isOutage, missingCaller, toApiError } from './errors.js';
import { rpcDurations } from './process-metrics.js';
import { scopeDenied } from './scope.js';
import { withSpan } from './spans.js';

const MAX_REASON = 300;

/** A service with access terms in its protos: the generated table ACCESS has a row for each of its methods. */
export type Accessible = ServiceDefinition & { fullName: keyof typeof ACCESS };

/** A service in a form that any transport can serve. If the request is encoded, so is the response. */
export interface Exposed {
  definition: ServiceDefinition;
  call(method: string, request: Buffer, context: CallContext, guards?: Guards): Promise<Buffer>;
  call(method: string, request: Sent, context: CallContext, guards?: Guards): Promise<Sent>;
}

/** Callbacks of a service with a database, which dispatch calls when it denies a call. */
export interface Guards {
  find: FindWorkspace;
  /** Receives each denied external call before the error response is sent. Never rejects. */
  onDenied(denied: DeniedCall): Promise<void>;
}

/** An external call that was denied. */
export interface DeniedCall extends Pick<CallContext, 'requestId' | 'address'> {
  action: string;
  caller: Caller;
  workspaceId?: string;
  /** The id of the resource in the request. */
  id?: string;
  reason: string;
}

/** Fetches a workspace that the caller's scope excludes. Throws NOT_FOUND if the organization does not have the workspace. */
export type FindWorkspace = (id: string) => Promise<unknown>;

/**
 * Connects an implementation to its service definition, and each method to the access terms in its proto. Each call runs in its context and inside a
 * span. Every failure, including a failure to decode or encode a message, is converted to an ApiError.
 */
export function expose<D extends Accessible>(definition: D, implementation: Implementation<D>): Exposed {
  const handlers = implementation as Record<string, (request: unknown) => Promise<unknown>>;
  const serve = async (method: string, sent: Sent, context: CallContext, guards?: Guards): Promise<Sent> => {
    const name = `${definition.fullName}/${method}`;
    const access = ACCESS_TABLE[definition.fullName]![method];
    if (!access?.callers.includes(context.from)) throw forbiddenCaller(context.from, name);
    const messages = methodOf(definition, method);
    let about: Pick<DeniedCall, 'workspaceId' | 'id'> = {};
    const answer = async (): Promise<Sent> => {
      requireInTime(context);
      const request = receiveRequest(messages, sent);
      const workspaceId = workspaceOf(request, access);
      about = { workspaceId, id: (request as { id?: string }).id };
      const refusal = authorize(access, context.caller, workspaceId);
      if (refusal) throw await toError(refusal, { access, workspaceId, find: guards?.find });
      const serving = (context.serving = toServing(access, context, workspaceId));
      const response = await handlers[method]!(request);
      requireChecked(serving, name);
      return sendBack(messages.responseType, response, sent);
    };
    const startedAt = performance.now();
    let code = 'OK';
    try {
      return await withSpan(name, answer);
    } catch (error) {
      const { requestId, log } = context;
      const known = toApiError(afterChange(error, context), { call: name, requestId, log });
      code = known.code;
      const denied = toDenied(known, context);
      if (denied) await guards?.onDenied({ ...denied, ...about, action: access.action });
      throw known;
    } finally {
      rpcDurations.record((performance.now() - startedAt) / 1000, { rpc: name, code });
    }
  };
  const call = (...call: Parameters<typeof serve>): Promise<Sent> => runInContext(call[2], () => serve(...call));
  return { definition, call: call as Exposed['call'] };
}

/**
 * Returns the error with which a call fails. An outage after a committed change must not become an error that invites a retry. An ApiError that the
 * service throws is returned unchanged, because the service has considered its changes.
 */
function afterChange(error: unknown, { requestId, serving }: CallContext): unknown {
  const isDoubtful = serving?.hasChanged && !(error instanceof ApiError) && isOutage(error);
  return isDoubtful ? changeUnknown(requestId, error) : error;
}

/**
 * Adds guards to a service with a database. The guards distinguish a workspace that does not exist from a workspace that the caller's scope excludes,
 * and record denied calls.
 */
export function guarded({ definition, call }: Exposed, guards: Guards): Exposed {
  const guarded = (method: string, request: Sent, context: CallContext): Promise<Sent> =>
    call(method, request, context, guards);
  return { definition, call: guarded as Exposed['call'] };
}

/**
 * Returns the denied external call to record, or undefined for any other error. A denied call between services is not recorded here: if its caller
 * passes the error on, the external call is recorded.
 */
function toDenied(
  error: ApiError,
  { from, caller, requestId, address }: CallContext,
): Omit<DeniedCall, 'action'> | undefined {
  if (error.status !== 403 || from !== 'gateway' || !caller?.orgId) return undefined;
  return { caller, requestId, address, reason: cutText(`${error.code}: ${error.message}`, MAX_REASON) };
}

/** Throws an Error if the implementation omitted a check or the audit entry. */
function requireChecked({ mustAsk, mustBeNamed, mustRecord }: CallContext['serving'] & object, name: string): void {
  if (mustAsk) throw new Error(`${name} must call requireInScope or workspacesInScope`);
  if (mustBeNamed) throw new Error(`${name} must call requireNamed`);
  if (mustRecord) throw new Error(`${name} must write its audit entry`);
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

/** Returns whether the implementation must still check the workspace, because only it can read the rows. */
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
      return new ApiError(
        'FORBIDDEN',
        `The caller does not have the permission ${access.grant}. Use an API key or account that has it`,
      );
    case 'VALIDATION_ERROR':
      return invalid({ [access.workspace!.path.join('.')]: 'names no workspace' });
    case 'SCOPE_DENIED':
      if (workspaceId !== undefined) await find?.(workspaceId);
      return scopeDenied(workspaceId);
  }
}
