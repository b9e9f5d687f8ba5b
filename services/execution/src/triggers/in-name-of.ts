import { type HookCall } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Caller, runAs } from '@drawbridge/rpc';

/**
 * Runs the work on behalf of the user or key that enabled a trigger, even if it was deleted since. Grants only what is needed to use a
 * connection of the workspace. The triggers service has checked that the caller could enable it.
 */
export function inNameOf<T>({ orgId, userId, keyId, placeId }: HookCall, work: () => Promise<T>): Promise<T> {
  const permissions = { scope: 'workspace', workspaceIds: [placeId.toLowerCase()], grants: ['actions.execute'] };
  const caller: Caller = { orgId, userId, keyId, permissions, source: 'trigger' };
  return runAs({ caller }, work);
}
