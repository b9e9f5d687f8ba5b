import { type Caller, runAs } from '@drawbridge/rpc';
import { type FoundSession } from './find-session.js';

const NEVER = new AbortController().signal;
const WORK_MS = 10_000;

type ActedFor = Pick<FoundSession, 'orgId' | 'userId' | 'keyId' | 'workspaceId'>;

/**
 * Works in the name of who asked for the session, in its workspace alone: nobody else is known on its page. To the end, within 10 s,
 * also where the browser has left: a code is used up by then.
 */
export function actFor<T>({ orgId, userId, keyId, workspaceId }: ActedFor, work: () => Promise<T>): Promise<T> {
  const caller: Caller = {
    orgId,
    userId: userId ?? '',
    keyId: keyId ?? undefined,
    permissions: { scope: 'workspace', workspaceIds: [workspaceId], grants: ['connections.write'] },
    source: 'rest',
  };
  return runAs({ caller, signal: NEVER, deadline: Date.now() + WORK_MS }, work);
}
