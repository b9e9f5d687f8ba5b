import { type Caller, currentContext, runInContext } from '@drawbridge/rpc';
import { type FoundSession } from './find-session.js';

type ActedFor = Pick<FoundSession, 'orgId' | 'userId' | 'keyId' | 'workspaceId'>;

/** Works in the name of who asked for the session, in its workspace alone. Nobody else is known on its page. */
export function actFor<T>({ orgId, userId, keyId, workspaceId }: ActedFor, work: () => Promise<T>): Promise<T> {
  const caller: Caller = {
    orgId,
    userId: userId ?? '',
    keyId: keyId ?? undefined,
    permissions: { scope: 'workspace', workspaceIds: [workspaceId], grants: ['connections.write'] },
    source: 'rest',
  };
  const context = currentContext();
  if (!context) throw new Error('Nothing is being served');
  // Not a copy: the context reads its signal when it is asked for.
  return runInContext(Object.create(context, { caller: { value: caller, enumerable: true } }), work);
}
