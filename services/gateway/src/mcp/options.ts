import { ApiError, invalid } from '@drawbridge/contracts';
import { type Clients } from '../clients.js';
import { LOOKUP } from '../rest/lookup.js';
import { type Agent } from './agents.js';
import { withDefaults } from './call-tool.js';
import { OPTIONS } from './own-tools.js';
import { type JsonObject } from './protocol/message.js';
import { toResult, toToolError, type ToolResult } from './results.js';
import { defaultsOf, type OfferedTool } from './surface.js';

interface Question {
  agent: Agent;
  tool: OfferedTool;
  argument: string;
  arguments: JsonObject;
  search?: string;
}

export type LookUpOptions = (question: Question) => Promise<ToolResult>;

/** Lists the values for an argument, by the same rules as the look-up of a form. Returns refusals as results, like a call. */
export function optionLookUp({ properties }: Pick<Clients, 'properties'>): LookUpOptions {
  return async ({ agent, tool, argument, arguments: given, search }) => {
    const { offer, described } = tool;
    const { integrationName, actionName, workspaceIntegrationId, partialIds, connectionId } = offer;
    const { serverId: mcpServerId, workspaceId } = agent.door;
    const { endUserId } = agent.bearer;
    const input = withDefaults(defaultsOf(offer), given);
    const asked = { integrationName, actionName, workspaceIntegrationId, partialIds, workspaceId, endUserId, input };
    const form = { ...asked, propertyName: argument };
    const its = { mcpServerId, connectionId, toolAlias: offer.integrationAlias };
    try {
      const found = described.optionProperties.includes(argument)
        ? await properties.resolveToolOptions({ ...its, form: { ...form, searchValue: search } }, LOOKUP)
        : described.dynamicProperties.includes(argument)
          ? await properties.resolveToolProperties({ ...its, form }, LOOKUP)
          : noOptions(tool, argument);
      const from = described.integrationDisplayName;
      return toResult({ tool: OPTIONS, from, outputJson: JSON.stringify(found), offset: 0, again: {} });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'UNAUTHENTICATED' || error.code === 'INTERNAL') throw error;
      return toToolError(error);
    }
  };
}

function noOptions({ described }: OfferedTool, argument: string): never {
  const known = [...described.optionProperties, ...described.dynamicProperties];
  const have = known.length > 0 ? `those with options are ${known.join(', ')}` : 'no argument of that tool has';
  throw invalid({ argument: `${argument} has no options to look up; ${have}` });
}
