import { type Caller, runAs } from '@drawbridge/rpc';
import { type FoundSession } from './find-session.js';

const NEVER = new AbortController().signal;
const WORK_MS = 10_000;

type ActedFor = Pick<FoundSession, 'orgId' | 'userId' | 'keyId' | 'workspaceId'>;

/**
 * Runs `work` on behalf of the creator of the session, limited to its workspace, because its page has no other identity. The work may take 10 s and
 * continues after the browser disconnects: an authorization code is used up by then.
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
