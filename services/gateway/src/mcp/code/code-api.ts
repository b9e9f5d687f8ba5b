import { createHash } from 'node:crypto';
import { type ApiTool, type FoundTool, inSlices, pathOf, searchIndex } from '@drawbridge/code-mode';
import { type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import canonicalize from 'canonicalize';
import { descriptionOf } from '../listed-tool.js';
import { type OfferedTool, type Surface } from '../tool-list.js';

/** The actions that programs can call at a server, by `<alias>.<action>`. Their order is the same in every gateway process. */
export interface CodeApi {
  /** The hash of the tools (`toolSurfaceHash` in the API). If it changes, approvals of a run no longer apply. */
  hash: string;
  apiTools: readonly ApiTool[];
  codeTools: readonly CodeTool[];
  search(query: string, limit: number): Promise<FoundTool[]>;
}

const built = new WeakMap<Surface['tools'], Promise<CodeApi>>();

/** Returns the code API of a server's tools. Builds it once, in slices that do not block other requests: a server may have thousands of tools. */
export function codeApiOf({ tools }: Pick<Surface, 'tools'>): Promise<CodeApi> {
  const known = built.get(tools);
  if (known) return known;
  const api = toCodeApi([...tools.values()]);
  built.set(tools, api);
  return api;
}

export async function toCodeApi(offered: readonly Offered[]): Promise<CodeApi> {
  const found = await inSlices(offered, (tool) => {
    const api = toApiTool(tool);
    return { tool, api, path: pathOf(api), hashed: `${canonicalize(hashedPart(tool, api))}\n` };
  });
  const tools = found.sort((one, other) => (one.path < other.path ? -1 : 1));
  const hash = createHash('sha256');
  await inSlices(tools, ({ hashed }) => hash.update(hashed));
  const apiTools = tools.map(({ api }) => api);
  let index: ReturnType<typeof searchIndex> | undefined;
  return {
    hash: hash.digest('hex'),
    apiTools,
    codeTools: tools.map(({ tool }) => toCodeTool(tool)),
    search: async (query, limit) => (await (index ??= searchIndex(apiTools))).search(query, limit),
  };
}

type Offered = Omit<OfferedTool, 'name'>;

function toApiTool({ offer, described }: Offered): ApiTool {
  return {
    alias: offer.integrationAlias,
    actionName: offer.actionName,
    integrationName: offer.integrationName,
    integrationDisplayName: described.integrationDisplayName,
    displayName: offer.displayName ?? described.displayName,
    description: descriptionOf(offer, described),
    category: described.category,
    effect: described.effect,
    inputSchema: JSON.parse(described.inputSchemaJson),
    defaultedKeys: described.defaultedKeys,
  };
}

/** Converts a tool for the execution service. Approvers see the display name of the action, because that of a tool is free text and could mislead. */
function toCodeTool({ offer, described }: Offered): CodeTool {
  const { integrationName, actionName, workspaceIntegrationId, connectionId, partialIds, inputDefaultsJson } = offer;
  const { integrationDisplayName, displayName, category, connectionStrategy } = described;
  const { connectionId: integrationConnectionId } = described;
  return {
    ...{ alias: offer.integrationAlias, actionName, integrationName, workspaceIntegrationId, connectionId },
    ...{ partialIds, inputDefaultsJson, integrationDisplayName, displayName, category, connectionStrategy },
    integrationConnectionId,
  };
}

/** Returns the properties that an approver relies on. If one of them changes, approvals of earlier runs no longer apply. */
function hashedPart({ offer, described }: Offered, api: ApiTool): object {
  const { connectionStrategy, connectionId, partialsTag } = described;
  return {
    alias: api.alias,
    action: api.actionName,
    integration: api.integrationName,
    description: api.description,
    schema: api.inputSchema,
    defaultedKeys: [...api.defaultedKeys].sort(),
    defaults: offer.inputDefaultsJson ?? null,
    partials: [offer.partialIds ?? null, partialsTag],
    connection: offer.connectionId ?? [connectionStrategy ?? null, connectionId ?? null],
  };
}
