import { type Caller, type CallContext, currentContext } from './context.js';

/** The facts of the current call that an audit log entry needs. */
export interface AuditedCall extends Pick<CallContext, 'requestId' | 'address'> {
  /** The action name from the RPC's proto, such as `workspace.create`. */
  action: string;
  caller?: Caller;
}

/**
 * Returns the facts for the audit entry, and marks the call as recorded. Write the entry in the transaction of the change. Throws outside of a
 * recorded RPC.
 */
export function auditedCall(): AuditedCall {
  const context = currentContext();
  const { serving } = context ?? {};
  if (!context || !serving?.recordedAs) throw new Error('Nothing that the audit log knows of is being served');
  serving.mustRecord = false;
  const { requestId, address, caller } = context;
  return { action: serving.recordedAs, requestId, address, caller };
}

/** Marks the current call as recorded. Call it in an RPC that found nothing to change. */
export function nothingToRecord(): void {
  auditedCall();
}
