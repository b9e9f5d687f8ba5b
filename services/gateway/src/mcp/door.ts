import { ApiError } from '@drawbridge/contracts';
import { withSpan } from '@drawbridge/rpc';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type Subject } from '../admission/concurrency-limits.js';
import { type RateLimits } from '../admission/rate-limits.js';
import { type Slots, takeSlots } from '../admission/request-slots.js';
import { bearerToken } from '../auth/admit.js';
import { type Clients } from '../clients.js';
import { jsonBody } from '../http/json-body.js';
import { contextOf } from '../http/request-context.js';
import { mediaTypeOf, requireValidHeaders } from '../http/require-headers.js';
import { type Operation } from '../http/route-table.js';
import { requireOwnSite, type Site } from '../http/site.js';
import { type Agent, type Agents, agents } from './agents.js';
import { mcpError } from './answer.js';
import { type Challenges, challenges } from './oauth/metadata.js';
import { RPC_CODES, RpcError } from './protocol/message.js';
import { serveMessage } from './serve-message.js';
import { type SurfaceOf } from './tool-list.js';

const PATH = '/mcp/{server}';
const METHOD = 'POST';
/** Equals the limit of `POST /api/v1/actions/execute` for actions that take files. */
const MAX_BODY_BYTES = 10_485_760;
/** The token of a request that waited longer is looked up again. The mcp service caches look-ups for 450 ms, and the sum must be below a second. */
const FRESH_MS = 450;

const OPERATION: Operation = {
  isPublic: false,
  isForPersons: false,
  maxBodyBytes: MAX_BODY_BYTES,
  kind: 'MCP message',
  isSameForAll: false,
};

interface McpParts {
  clients: Clients;
  surfaceOf: SurfaceOf;
  slots: Slots;
  limits: RateLimits;
  site: Site;
  /** The version of the product. */
  version: string;
  /** Aborts when this process accepts no further requests. */
  draining: AbortSignal;
}

/** Serves the Model Context Protocol over HTTP. It is stateless: no data is stored between two requests. */
export function mcpDoor(parts: McpParts): Router {
  const found = agents(parts.clients, parts.slots);
  const challenge = challenges(parts);
  const router = Router();
  const path = '/mcp/:server';
  const again = findingAgain(found, challenge);
  router.all(path, admitAgent(found, { ...parts, challenge }), requireValidHeaders);
  router.post(
    path,
    requireJson,
    takeSlots((_request, response) => ['MCP message', subjectOf(response.locals['agent'])]),
    jsonBody(parts.slots, 'MCP body past 64 kB'),
    stillAdmitted(again, challenge),
    serveMessage({ ...parts, again }),
  );
  return router.use('/mcp', mcpError);
}

/** Authenticates the agent and applies the rate limits. API keys and browser sessions are not accepted. */
function admitAgent(
  found: Agents,
  { limits, site, challenge }: McpParts & { challenge: Challenges },
): RequestHandler<{ server: string }> {
  return async (request, response, next) => {
    response.locals['route'] = PATH;
    response.locals['operation'] = OPERATION;
    const { address } = contextOf(response);
    const { server } = request.params;
    const token = tokenOf(request);
    const asked = withSpan('identify', () => found.find(server, token, () => limits.countKeyLookup(address)));
    const [settled] = await Promise.allSettled([asked]);
    const agent = settled.status === 'fulfilled' ? settled.value : undefined;
    // While the mcp service is down, a recently valid token still counts towards its organization, and the request fails with UNAVAILABLE.
    const known = settled.status === 'rejected' ? found.lastKnown(server, token) : undefined;
    await limits.count(response, agent ? { ...agent, orgId: agent.door.orgId } : known, address);
    requireOwnSite(request, site);
    if (request.method !== METHOD) {
      response.setHeader('Allow', METHOD);
      throw new RpcError(RPC_CODES.refused, `Method not allowed: ${request.method}; allowed: ${METHOD}`, 405);
    }
    if (settled.status === 'rejected') throw settled.reason;
    if (!agent) throw unauthenticated(await challenge(request));
    await limits.countServer(agent.door.serverId, agent.requestsPerMinute);
    await requireScope(agent, () => challenge(request));
    setAgent(response, agent);
    next();
  };
}

/** Returns the token of the request, or an empty string, which no agent has. */
function tokenOf(request: Request<{ server: string }>): string {
  return bearerToken(request.get('authorization') ?? '') ?? '';
}

/** Throws FORBIDDEN if the token lacks the scope for the mode of the server. */
async function requireScope({ door, bearer }: Agent, challenge: () => Promise<object>): Promise<void> {
  const scope = door.mode === 'CODE' ? 'mcp:code' : 'mcp:tools';
  if (bearer.scopes.includes(scope)) return;
  throw new ApiError('FORBIDDEN', `The token does not have the scope ${scope}. Request a token with this scope`, {
    // The challenge lists all scopes of the server. If it listed only the missing scope, the next token would lack the scopes of the current token.
    details: { scope, ...(await challenge()), reason: 'insufficient_scope' },
  });
}

const requireJson: RequestHandler = (request, _response, next) => {
  if (mediaTypeOf(request) === 'application/json') return next();
  throw new RpcError(RPC_CODES.refused, 'Content-Type must be application/json', 415);
};

/** Returns the values by which slots are counted. A token without an end user counts towards the organization only. */
const subjectOf = ({ door, bearer }: Agent): Subject => ({ organization: door.orgId, endUser: bearer.endUserRecordId });

type FindAgain = (request: Request<{ server: string }>) => Promise<Agent | undefined>;

/**
 * Returns a function that looks up the token of an admitted request again. It throws FORBIDDEN if the token lacks the scope, because the mode of the
 * server may have changed.
 */
function findingAgain(found: Agents, challenge: Challenges): FindAgain {
  return async (request) => {
    const agent = await found.find(request.params.server, tokenOf(request), () => () => undefined);
    if (agent) await requireScope(agent, () => challenge(request));
    return agent;
  };
}

/** Looks up the token again if it may have been revoked while the request waited for its slots or its body. */
function stillAdmitted(again: FindAgain, challenge: Challenges): RequestHandler<{ server: string }> {
  return async (request, response, next) => {
    const before: Agent = response.locals['agent'];
    if (performance.now() - before.foundAt < FRESH_MS) return next();
    const agent = await again(request);
    if (!agent) throw unauthenticated(await challenge(request));
    setAgent(response, agent);
    next();
  };
}

/** Sets the agent together with its caller, because the source of the caller depends on the mode of the server. */
function setAgent(response: Response, agent: Agent): void {
  response.locals['agent'] = agent;
  contextOf(response).caller = agent.caller;
}

function unauthenticated(details: Record<string, unknown>): ApiError {
  return new ApiError('UNAUTHENTICATED', 'Send a token of this MCP server: Authorization: Bearer mcp_…', { details });
}
