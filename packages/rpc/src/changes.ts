import { changeUnknown } from '@drawbridge/contracts';
import { type CallContext, type Caller, currentContext } from './context.js';

/**
 * Waits for a change in the database. After the change is committed, an outage in the rest of the call is reported with the reason outcome_unknown
 * instead of as an error that invites a retry. Throws an error with that reason if `isUnknown` returns true for the failure, which means that the
 * change may have been committed. Outside of a call, and in a call that only reads, the failure is rethrown unchanged, because repeating such work is
 * safe.
 */
export async function makeChange<Result>(
  change: Promise<Result>,
  isUnknown: (failure: unknown) => boolean,
): Promise<Result> {
  try {
    const result = await change;
    const serving = currentContext()?.serving;
    if (serving?.mayChange) serving.hasChanged = true;
    return result;
  } catch (failure) {
    const context = currentContext();
    const isReading = !context || context.serving?.mayChange === false;
    throw isReading || !isUnknown(failure) ? failure : changeUnknown(context.requestId, failure);
  }
}

/** The properties of the current call that its audit log entry contains. */
interface AuditedCall extends Pick<CallContext, 'requestId' | 'address'> {
  /** The action name from the RPC's proto, such as `workspace.create`. */
  action: string;
  caller?: Caller;
}

/**
 * Returns the properties of the current call for its audit entry, and marks the call as recorded. Write the entry in the transaction of the change.
 * Throws if the RPC is not recorded, or outside of a call.
 */
export function auditedCall(): AuditedCall {
  const context = currentContext();
  const { serving } = context ?? {};
  if (!context || !serving?.recordedAs)
    throw new Error('auditedCall must run inside an RPC that is recorded in the audit log');
  serving.mustRecord = false;
  const { requestId, address, caller } = context;
  return { action: serving.recordedAs, requestId, address, caller };
}

/** Marks the current call as recorded without an entry. Call it in an RPC that found nothing to change. Throws as `auditedCall` does. */
export function nothingToRecord(): void {
  auditedCall();
}
