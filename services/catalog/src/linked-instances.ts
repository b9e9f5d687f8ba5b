import { createHash } from 'node:crypto';
import { type LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type Implementation } from '@drawbridge/rpc';
import { checkTool, type CheckNeeds } from './check-tool.js';
import { type ConfiguredInstance } from './configured-instances.js';

/** What MCP servers ask: what their workspace configured, and what can be a tool of theirs. */
export const linkedInstances = (needs: CheckNeeds): Implementation<LinkedInstanceServiceDefinition> => {
  // Those of a workspace are the same array for a second: however many messages come, it is gone through once.
  const tags = new WeakMap<readonly ConfiguredInstance[], string>();
  const tagOf = (instances: readonly ConfiguredInstance[]): string => {
    const tag = tags.get(instances) ?? toTag(instances);
    tags.set(instances, tag);
    return tag;
  };
  return {
    async listLinkedInstances({ orgId, placeId: workspaceId, isTagWantedAlone }) {
      const instances = await needs.instances.of({ orgId, workspaceId });
      return { instances: isTagWantedAlone ? [] : instances.map(toLinked), tag: tagOf(instances) };
    },

    checkTool: (request) => checkTool(needs, request),
  };
};

/** By what is told of them. */
function toTag(instances: readonly ConfiguredInstance[]): string {
  const facts = instances.map(toLinked).map((one) => [one.id, one.integrationName, one.alias, one.enabledActions]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

function toLinked({ integrationName, enabledActions, instance }: ConfiguredInstance) {
  const { id, alias, connectionStrategy, connectionId } = instance;
  return { id, integrationName, alias, enabledActions, connectionStrategy, connectionId };
}
