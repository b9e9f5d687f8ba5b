import { type Caller, type CallContext, currentContext } from './context.js';

/** What the audit log must know of the call that is served. */
export interface AuditedCall extends Pick<CallContext, 'requestId' | 'address'> {
  /** `workspace.create`, as the proto of the RPC says. */
  action: string;
  caller?: Caller;
}

/** For what is written with the change: from here on dispatch takes the call as recorded. Throws outside of a recorded RPC. */
export function auditedCall(): AuditedCall {
  const context = currentContext();
  const { serving } = context ?? {};
  if (!context || !serving?.recordedAs) throw new Error('Nothing that the audit log knows of is being served');
  serving.mustRecord = false;
  const { requestId, address, caller } = context;
  return { action: serving.recordedAs, requestId, address, caller };
}

/** Said by an RPC that found nothing to change. */
export function nothingToRecord(): void {
  auditedCall();
}
