import { createHash } from 'node:crypto';
import {
  type AskedTool,
  type DescribeToolsRequest,
  type ToolDescription,
  type ToolDescriptions,
} from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { memoize } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type Clients } from '../clients.js';
import { type Offering } from './agents.js';
import { CODE_TOOLS } from './code/code-tools.js';
import { isSearched, SEARCH_TOOLS } from './find-tools.js';
import { joinNextRun } from './join-next-run.js';
import { CONTINUE_TOOL, OPTIONS_TOOL, toListedTool, toolName } from './listed-tool.js';
import { type JsonObject, RPC_CODES, RpcError } from './protocol/message.js';

/** Descriptions of tools are cached for this time, so that a change to enabled actions or to partials takes effect within a second. */
const REMEMBER_MS = 900;
/** Timeout of the catalog service, which must build the schemas of all tools. A server may have thousands of tools. */
const DESCRIBE_MS = 30_000;
/** Limits of one page of a list. A model reads the whole list, and most clients never request a second page. */
const PAGE = { tools: 500, characters: 1_000_000 };
/** Maximum number of tools that a server lists. */
const MAX_TOOLS = 5_000;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

export interface OfferedTool {
  name: string;
  offer: McpOffer;
  described: ToolDescription;
}

/** The tools of a server with their descriptions, and their list as the server sends it. */
export interface Surface {
  tools: ReadonlyMap<string, OfferedTool>;
  /** The pages of the list of tools as JSON texts. A page may have hundreds of kilobytes and is sent unchanged. */
  pages: readonly Buffer[];
  /** A hash of the listed tools. It is the same in every gateway process, so a client can request the next page from any process. */
  tag: string;
  /** The tag of the descriptions, which the catalog service compares to send only changed descriptions. Each catalog process has different tags. */
  knownTag: string;
}

export interface SurfaceOptions {
  /**
   * Reads from the catalog service instead of the cache, so that a list contains a partial that was changed just before. Otherwise the result may be
   * a second old.
   */
  isFresh?: boolean;
}

export type SurfaceOf = (server: Offering, options?: SurfaceOptions) => Promise<Surface>;

/** Returns a function that caches the surfaces of servers, and builds a surface again if the server's tools or their descriptions changed. */
export function surfaces({ toolDescriptions }: Pick<Clients, 'toolDescriptions'>): SurfaceOf {
  const made = new LRUCache<string, Surface>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: bytesOf });
  const describe = (request: Partial<DescribeToolsRequest> & Pick<DescribeToolsRequest, 'workspaceId'>) =>
    toolDescriptions.describeTools({ tools: [], isFresh: false, ...request }, { timeoutMs: DESCRIBE_MS });
  const update = async (key: string, server: Offering, isFresh = false): Promise<true> => {
    const { workspaceId } = server.door;
    const knownTag = made.get(key)?.knownTag;
    const isEmpty = server.offers.list.length === 0;
    // A request for descriptions can contain thousands of tools, so it is sent only if they changed.
    const asksTag = !isEmpty && knownTag !== undefined;
    if (asksTag && (await describe({ workspaceId, knownTag, isFresh })).isUnchanged) return true;
    made.set(
      key,
      toSurface(server, isEmpty ? NOTHING : await describe({ workspaceId, tools: toAsked(server), isFresh })),
    );
    return true;
  };
  const options = { ttlMs: REMEMBER_MS, max: 50_000, limitMs: DESCRIBE_MS };
  const updated = memoize(options, (key, server: Offering) => update(key, server));
  // Agents list the tools of a server at the same time, so they share a comparison with the database, if it began after their requests arrived.
  const updatedNow = joinNextRun(DESCRIBE_MS, (key, server: Offering) => update(key, server, true));
  return async (server, { isFresh = false } = {}) => {
    const key = `${server.door.serverId} ${server.offers.tag}`;
    await (isFresh ? updatedNow(key, server) : updated(key, server));
    const surface = made.get(key);
    if (surface) return surface;
    updated.forget(key); // The full cache evicted this surface, so the next request must read it from the catalog service again.
    return toSurface(server, await describe({ workspaceId: server.door.workspaceId, tools: toAsked(server), isFresh }));
  };
}

/** Returns the page at a cursor, which is opaque to clients. Throws RpcError for an unknown cursor. */
export function pageOf(
  { pages, tag }: Pick<Surface, 'pages' | 'tag'>,
  cursor: unknown,
): { toolsJson: Buffer; nextCursor?: string } {
  const cursorOf = (page: number): string => Buffer.from(`${tag.slice(0, 16)}.${page}`).toString('base64url');
  const at = cursor === undefined ? 0 : pages.findIndex((_, page) => page > 0 && cursorOf(page) === cursor);
  if (at < 0) {
    throw new RpcError(
      RPC_CODES.invalidParams,
      'cursor is unknown or belongs to an earlier list. Request the first page without a cursor',
    );
  }
  return { toolsJson: pages[at] ?? NO_TOOLS, ...(at + 1 < pages.length && { nextCursor: cursorOf(at + 1) }) };
}

const NO_TOOLS = Buffer.from('[]');

const NOTHING: ToolDescriptions = { tag: 'nothing', isUnchanged: false, tools: [] };

function toAsked({ offers }: Offering): AskedTool[] {
  return offers.list.slice(0, MAX_TOOLS).map((offer) => ({
    integrationName: offer.integrationName,
    actionName: offer.actionName,
    workspaceIntegrationId: offer.workspaceIntegrationId,
    partialIds: offer.partialIds,
    defaultKeys: Object.keys(defaultsOf(offer)),
  }));
}

/** Returns the default values of a tool, which the arguments of an agent override. */
export function defaultsOf({ inputDefaultsJson }: McpOffer): Record<string, unknown> {
  return inputDefaultsJson === undefined ? {} : JSON.parse(inputDefaultsJson);
}

/**
 * Builds the surface from the tools that can be called. Of several tools with one name, only the first is listed. A server in mode CODE, or with
 * discovery by search, lists Drawbridge's own tools instead, such as `svc_search`.
 */
export function toSurface({ door, offers }: Listed, { tag: knownTag, tools: described }: ToolDescriptions): Surface {
  const tools = new Map<string, OfferedTool>();
  described.forEach((one, index) => {
    const offer = offers.list[index]!;
    const name = toolName(offer.integrationAlias, offer.actionName);
    if (one.isCallable && !tools.has(name)) tools.set(name, { name, offer, described: one });
  });
  const listed = door.mode === 'CODE' ? CODE_TOOLS : listedOf(door, [...tools.values()], described);
  const pages = toPages(listed.map((tool) => JSON.stringify(tool)));
  const hash = createHash('sha256');
  for (const one of pages) hash.update(one);
  return { tools, pages, tag: hash.digest('base64url'), knownTag };
}

interface Listed {
  door: Pick<Offering['door'], 'mode' | 'toolDiscovery'>;
  offers: Pick<Offering['offers'], 'list'>;
}

function listedOf(
  door: Listed['door'],
  tools: readonly OfferedTool[],
  described: readonly ToolDescription[],
): JsonObject[] {
  const listed = isSearched(door)
    ? SEARCH_TOOLS
    : tools.map(({ name, offer, described: one }) => toListedTool(name, offer, one));
  const hasOptions = described.some((one) => one.optionProperties.length + one.dynamicProperties.length > 0);
  return [...listed, ...(listed.length > 0 ? [CONTINUE_TOOL] : []), ...(hasOptions ? [OPTIONS_TOOL] : [])];
}

function toPages(listed: readonly string[]): Buffer[] {
  const pages: string[][] = [];
  let characters = 0;
  for (const tool of listed) {
    const last = pages.at(-1);
    const isFull = !last || last.length === PAGE.tools || characters + tool.length > PAGE.characters;
    if (isFull) pages.push([tool]);
    else last.push(tool);
    characters = tool.length + (isFull ? 0 : characters);
  }
  return pages.map((page) => Buffer.from(`[${page.join(',')}]`));
}

/** Estimates the size of a surface in bytes, including its code API, which contains the schemas a second time. */
function bytesOf({ pages, tools }: Surface): number {
  const listed = pages.reduce((sum, page) => sum + page.length, 1);
  return [...tools.values()].reduce((sum, { described }) => sum + 200 + 2 * described.inputSchemaJson.length, listed);
}
