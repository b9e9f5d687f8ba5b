import { createHash } from 'node:crypto';
import { type LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type Implementation } from '@drawbridge/rpc';
import { checkTool, type CheckNeeds } from './check-tool.js';
import { type ConfiguredInstance } from './configured-instances.js';

/** Serves MCP servers: lists what their workspace configured, and checks tools. */
export const linkedInstances = (needs: CheckNeeds): Implementation<LinkedInstanceServiceDefinition> => {
  // The array of a workspace is the same object for a second, so its tag is computed once, however many messages arrive.
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

/** Returns a hash of the fields that decide what a server offers. */
function toTag(instances: readonly ConfiguredInstance[]): string {
  const facts = instances.map(toLinked).map((one) => [one.id, one.integrationName, one.alias, one.enabledActions]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url');
}

function toLinked({ integrationName, enabledActions, instance }: ConfiguredInstance) {
  const { id, alias, connectionStrategy, connectionId } = instance;
  return { id, integrationName, alias, enabledActions, connectionStrategy, connectionId };
}
