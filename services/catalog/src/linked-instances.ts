import {
  type LinkedInstance,
  type LinkedInstanceServiceDefinition,
} from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type Implementation } from '@drawbridge/rpc';
import { type ConfiguredInstance, type ConfiguredInstances } from './configured-instances.js';

/** What MCP servers ask: what their workspace configured. */
export const linkedInstances = (
  instances: Pick<ConfiguredInstances, 'of'>,
): Implementation<LinkedInstanceServiceDefinition> => ({
  async listLinkedInstances({ orgId, placeId: workspaceId }) {
    return { instances: (await instances.of({ orgId, workspaceId })).map(toLinked) };
  },
});

function toLinked({ integrationName, enabledActions, instance, partials }: ConfiguredInstance): LinkedInstance {
  const { id, alias } = instance;
  const heads = partials.map((head) => ({
    id: head.id,
    actionName: head.actionName ?? undefined,
    triggerName: head.triggerName ?? undefined,
  }));
  return { id, integrationName, alias, enabledActions, partials: heads };
}
