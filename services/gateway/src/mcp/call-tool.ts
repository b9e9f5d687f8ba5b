import { createHash } from 'node:crypto';
import { ApiError, newId, refused, withDefaults } from '@drawbridge/contracts';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { LRUCache } from 'lru-cache';
import { type Clients } from '../clients.js';
import { shownApproval, toRequired } from '../rest/shown-approval.js';
import { runOnce, toFailure } from '../run-once.js';
import { type Agent } from './agents.js';
import { type ConnectPath } from './connect-link.js';
import { type JsonObject } from './protocol/message.js';
import {
  type Elicited,
  elicitUrl,
  type InputRequired,
  PART_CHARACTERS,
  toApprovalRequired,
  type ToolResult,
  toResult,
  toToolError,
} from './results.js';
import { defaultsOf, type OfferedTool } from './tool-list.js';

/** Maximum length of arguments, in characters, that a result repeats for the call of `svc_continue`. The agent must repeat longer ones itself. */
const MAX_REPEATED = 10_000;

interface ToolCall {
  agent: Agent;
  tool: OfferedTool;
  arguments: JsonObject;
  /** The key of the call that this call continues, or the key that the client chose for retries. */
  idempotencyKey?: string;
  /** Offset of the part of the result to return, in characters. */
  offset: number;
  elicited: Elicited;
  /** Returns the absolute URL of a path. */
  address(path: string): string;
}

export type CallTool = (call: ToolCall) => Promise<ToolResult | InputRequired>;

interface Needs {
  actions: Pick<Clients['actions'], 'callTool'>;
  connectPath: ConnectPath;
}

/**
 * Runs a tool through the execution pipeline. Returns errors that an agent can act on as results. Throws UNAUTHENTICATED for a token that expired
 * during the call, and unexpected errors.
 */
export function toolCaller({ actions, connectPath }: Needs): CallTool {
  const long = longResults();
  return async (call) => {
    // A call that may change something gets an idempotency key: if its process is lost, another process can still report the outcome of the run.
    const { idempotencyKey = call.tool.described.effect === 'read' ? undefined : newId() } = call;
    const kept = isNextPart(call) ? long.get(keyOf(call)) : undefined;
    if (kept !== undefined) return toOutput(call, kept);
    try {
      const { call: asked, ...its } = toRequest(call);
      const request = { ...its, call: { ...asked, idempotencyKey } };
      const outcome = await runOnce(idempotencyKey, (how) => actions.callTool(request, how), asked?.integrationName);
      if (idempotencyKey === undefined) keepIfLong(long, call, outcome);
      return await toAnswer({ ...call, idempotencyKey }, outcome);
    } catch (error) {
      if (!(error instanceof ApiError) || !isForAgents(error)) throw error;
      return error.code === 'CONNECTION_REQUIRED'
        ? connectFirst(call, error, connectPath)
        : toToolError(error, adviceFor(error));
    }
  };
}

/** Returns the execution request of a tool with the input of this call. */
export function toRequest({
  agent,
  tool: { offer },
  arguments: given,
}: Pick<ToolCall, 'agent' | 'tool' | 'arguments'>) {
  const { serverId: mcpServerId, workspaceId } = agent.door;
  const { integrationName, actionName, workspaceIntegrationId, partialIds, connectionId } = offer;
  const what = { integrationName, actionName, workspaceIntegrationId, partialIds };
  const input = withDefaults(defaultsOf(offer), given);
  const call = { ...what, input, workspaceId, endUserId: agent.bearer.endUserId };
  return { call, mcpServerId, connectionId, toolAlias: offer.integrationAlias };
}

async function toAnswer(call: ToolCall, { outcome }: ActionOutcome): Promise<ToolResult | InputRequired> {
  switch (outcome?.$case) {
    case 'outputJson':
      return toOutput(call, outcome.value);
    case 'failure': {
      const failure = toFailure(outcome.value);
      return toToolError(failure, adviceFor(failure));
    }
    case 'pending':
      return askForApproval(call, outcome.value);
    case undefined:
      throw new Error('execution returned no outcome');
  }
}

/** Returns whether the call requests a later part of a result that has no idempotency key. */
const isNextPart = ({ offset, idempotencyKey }: ToolCall): boolean => offset > 0 && idempotencyKey === undefined;

function keepIfLong(long: LRUCache<string, string>, call: ToolCall, { outcome }: ActionOutcome): void {
  if (outcome?.$case === 'outputJson' && outcome.value.length > PART_CHARACTERS) long.set(keyOf(call), outcome.value);
}

function toOutput(call: ToolCall, outputJson: string): ToolResult {
  const { tool, offset } = call;
  const from = tool.described.integrationDisplayName;
  return toResult({ tool: tool.name, from, outputJson, offset, again: againOf(call) });
}

function askForApproval(call: ToolCall, pending: Approval): ToolResult | InputRequired {
  const { address, elicited, tool } = call;
  const required = toRequired(shownApproval(address, pending)).approval;
  const url = required.hostedApprovalUrl ?? required.approvalUrl;
  const message = `${tool.described.displayName} (${tool.described.integrationDisplayName}) needs your approval.`;
  const asked = url && elicitUrl(elicited, { message, url, requestState: required.retry.idempotencyKey });
  return asked || toApprovalRequired(required, { tool: tool.name, again: againOf(call) });
}

async function connectFirst(
  call: ToolCall,
  lacking: ApiError,
  connectPath: ConnectPath,
): Promise<ToolResult | InputRequired> {
  const { agent, tool, elicited, address } = call;
  let path: string | undefined;
  const refusal = await refused(async () => (path = await connectPath(agent, tool, lacking)));
  if (path === undefined)
    return toToolError(lacking, refusal?.error ?? 'Tell the user that the agent cannot connect this account.');
  const connectUrl = address(path);
  const message = `Connect your ${tool.described.integrationDisplayName} account to go on.`;
  const asked = elicitUrl(elicited, { message, url: connectUrl });
  if (asked) return asked;
  const advice = `Ask the person to open ${connectUrl} and connect it; then call ${tool.name} again with the same arguments.`;
  return toToolError(lacking, advice, { connectUrl });
}

type Repeated = Pick<ToolCall, 'arguments' | 'idempotencyKey'> & { tool: Pick<OfferedTool, 'name'> };

/** Returns the arguments of `svc_continue` that continue this call. Long arguments are not repeated, because they are in the context of the agent. */
export function againOf({ tool, arguments: given, idempotencyKey }: Repeated): JsonObject {
  const repeated = JSON.stringify(given).length <= MAX_REPEATED ? given : 'the same arguments';
  return { tool: tool.name, arguments: repeated, ...(idempotencyKey !== undefined && { idempotencyKey }) };
}

const NOT_FOR_AGENTS = ['UNAUTHENTICATED', 'INTERNAL'];

/** Returns whether an agent can act on the error. It then receives the error as a tool result, and any other error as a JSON-RPC error. */
export const isForAgents = ({ code, details }: ApiError): boolean =>
  !NOT_FOR_AGENTS.includes(code) || details['reason'] === 'outcome_unknown';

/** Runs one of Drawbridge's own tools, such as `svc_continue`. Returns an error that an agent can act on as a tool result. */
export async function asTool<T>(work: () => Promise<T>): Promise<T | ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && isForAgents(error)) return toToolError(error);
    throw error;
  }
}

function adviceFor({ code, details }: ApiError): string | undefined {
  if (code === 'VALIDATION_ERROR') return 'Correct them and call again.';
  if (code === 'UNAVAILABLE' || details['retryable'] === true) return 'Calling again later may help.';
  if (details['reason'] === 'outcome_unknown') return 'Find out whether it happened before calling again.';
  return undefined;
}

/** Lifetime of a cached result. A policy that blocks the action, or the deletion of its connection, takes effect on cached parts after this time. */
const KEPT_MS = 60_000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Caches long results of calls that only read, so that the provider is called once for all parts of a result. The execution service stores the
 * results of all other calls by idempotency key. If the result is not in the cache of this process, the action runs again.
 */
const longResults = (): LRUCache<string, string> =>
  new LRUCache({ ttl: KEPT_MS, maxSize: MAX_KEPT_BYTES, sizeCalculation: (outputJson) => 2 * outputJson.length });

/** Returns the same key for the same end user, tool and arguments at one server, until the server's definition of the tool changes. */
function keyOf({ agent, tool, arguments: given }: ToolCall): string {
  const { door, bearer } = agent;
  const parts = [door.serverId, bearer.endUserId ?? null, tool.name, tool.offer, given];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
