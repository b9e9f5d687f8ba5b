import { type LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type Implementation } from '@drawbridge/rpc';
import { checkTool, type CheckNeeds } from './check-tool.js';
import { type ConfiguredInstance } from './configured-instances.js';

/** What MCP servers ask: what their workspace configured, and what can be a tool of theirs. */
export const linkedInstances = (needs: CheckNeeds): Implementation<LinkedInstanceServiceDefinition> => ({
  async listLinkedInstances({ orgId, placeId: workspaceId }) {
    return { instances: (await needs.instances.of({ orgId, workspaceId })).map(toLinked) };
  },

  checkTool: (request) => checkTool(needs, request),
});

function toLinked({ integrationName, enabledActions, instance: { id, alias } }: ConfiguredInstance) {
  return { id, integrationName, alias, enabledActions };
}
