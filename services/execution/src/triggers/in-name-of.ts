import { type HookCall } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Caller, runAs } from '@drawbridge/rpc';

/**
 * Works in the name of who enabled a trigger, who may have gone since: with what using a connection in its workspace takes, and nothing
 * else. That they might enable it triggers has asked.
 */
export function inNameOf<T>({ orgId, userId, keyId, placeId }: HookCall, work: () => Promise<T>): Promise<T> {
  const permissions = { scope: 'workspace', workspaceIds: [placeId.toLowerCase()], grants: ['actions.execute'] };
  const caller: Caller = { orgId, userId, keyId, permissions, source: 'trigger' };
  return runAs({ caller }, work);
}
