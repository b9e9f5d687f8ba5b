import { InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { TriggerHookServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';
import { type TriggerServiceDefinition } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { type Implementation, lookUpWorkspace, type Network } from '@drawbridge/rpc';
import { planLimits } from '../plan-limits.js';
import { type SourceParts } from './parts.js';
import { sources } from './sources.js';

type Given = Omit<SourceParts, 'invocations' | 'hooks' | 'vault' | 'findMinimum' | 'requireWorkspaceNow'>;

/** Implements TriggerService with the clients of the other services. */
export function sourceRpcs({
  network,
  ...given
}: Given & { network: Network }): Implementation<TriggerServiceDefinition> {
  const parts: SourceParts = {
    ...given,
    invocations: network.client('catalog', InvocationServiceDefinition),
    hooks: network.client('execution', TriggerHookServiceDefinition),
    vault: network.client('connections', SourceSecretServiceDefinition),
    findMinimum: planLimits(network).findMinimum,
    requireWorkspaceNow: lookUpWorkspace(network),
  };
  return sources(parts);
}
