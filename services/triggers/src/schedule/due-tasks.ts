import { type Task } from '@drawbridge/jobs';
import { SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type Network } from '@drawbridge/rpc';
import { unregisterTask, type UnregisterParts } from '../disabling/unregister.js';
import { renewTask, type RenewParts } from '../renewals/renew.js';
import { type Due, type DueTask } from './scheduler.js';

type Parts = RenewParts & UnregisterParts;
type Given = Omit<Parts, 'hooks' | 'vault'> & { network: Network };

/** Returns the queue's tasks for due sources, under the names that the scheduler uses. */
export function dueTasks({ network, ...given }: Given): Record<DueTask, Task<Due>> {
  const parts: Parts = {
    ...given,
    hooks: network.client('execution', TriggerHookServiceDefinition),
    vault: network.client('connections', SourceSecretServiceDefinition),
  };
  return { renew: renewTask(parts), unregister: unregisterTask(parts) };
}
