import { createHash } from 'node:crypto';
import { type ApiTool, type FoundTool, pathOf, searchIndex } from '@drawbridge/code-mode';
import { type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import canonicalize from 'canonicalize';
import { descriptionOf } from '../listed-tool.js';
import { type OfferedTool, type Surface } from '../tool-list.js';

/** What programs can call at a server, by `<alias>.<action>`. The order does not depend on the gateway. */
export interface CodeApi {
  /** The `toolSurfaceHash`: an approval of a run is valid for one hash only. */
  hash: string;
  apiTools: readonly ApiTool[];
  codeTools: readonly CodeTool[];
  search(query: string, limit: number): FoundTool[];
}

const built = new WeakMap<Surface['tools'], CodeApi>();

/** Returns the code API of a surface. It is built once, because a server may have thousands of tools. */
export function codeApiOf({ tools }: Pick<Surface, 'tools'>): CodeApi {
  const known = built.get(tools);
  if (known) return known;
  const api = toCodeApi([...tools.values()]);
  built.set(tools, api);
  return api;
}

export function toCodeApi(offered: readonly Omit<OfferedTool, 'name'>[]): CodeApi {
  const tools = offered
    .map((tool) => ({ tool, api: toApiTool(tool) }))
    .sort((one, other) => (pathOf(one.api) < pathOf(other.api) ? -1 : 1));
  const apiTools = tools.map(({ api }) => api);
  let index: ReturnType<typeof searchIndex> | undefined;
  return {
    hash: hashOf(tools.map(({ tool, api }) => hashedPart(tool, api))),
    apiTools,
    codeTools: tools.map(({ tool }) => toCodeTool(tool)),
    search: (query, limit) => (index ??= searchIndex(apiTools)).search(query, limit),
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

/** An approver sees the display name of the action. That of a tool can say anything. */
function toCodeTool({ offer, described }: Offered): CodeTool {
  const { integrationName, actionName, workspaceIntegrationId, connectionId, partialIds, inputDefaultsJson } = offer;
  const { integrationDisplayName, displayName, category, connectionStrategy } = described;
  return {
    ...{ alias: offer.integrationAlias, actionName, integrationName, workspaceIntegrationId, connectionId },
    ...{ partialIds, inputDefaultsJson, integrationDisplayName, displayName, category, connectionStrategy },
  };
}

/** Returns what an approver relies on. If a part of it changes, approvals of earlier runs no longer apply. */
function hashedPart({ offer, described }: Offered, api: ApiTool): object {
  const { connectionStrategy, connectionId } = described;
  return {
    alias: api.alias,
    action: api.actionName,
    integration: api.integrationName,
    description: api.description,
    schema: api.inputSchema,
    defaultedKeys: [...api.defaultedKeys].sort(),
    defaults: offer.inputDefaultsJson ?? null,
    partials: offer.partialIds ?? null,
    connection: offer.connectionId ?? [connectionStrategy ?? null, connectionId ?? null],
  };
}

function hashOf(parts: readonly object[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${canonicalize(part)}\n`);
  return hash.digest('hex');
}
