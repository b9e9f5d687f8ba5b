import { ApiError, invalid } from '@drawbridge/contracts';
import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type Clients } from '../../clients.js';
import { bodyTooLarge } from '../../http/read-body.js';
import { WITHOUT_FILES_BYTES } from '../../rest/require-files.js';
import { type Agent } from '../agents.js';
import { asTool } from '../call-tool.js';
import { type JsonObject, RPC_CODES, RpcError } from '../protocol/message.js';
import { type Elicited, elicitUrl, type InputRequired, type ToolResult, urlOf } from '../results.js';
import { type SurfaceOf, type SurfaceOptions } from '../tool-list.js';
import { codeApiOf } from './code-api.js';
import { approvalsOf, toCodeResult } from './code-results.js';
import { EXECUTE, READ_API, SEARCH } from './code-tools.js';
import {
  type CodeRequest,
  type CodeServer,
  executeCode,
  invalidCodeRequest,
  optionsOf,
  requireCodeMode,
  requireCodeRequest,
} from './execute-code.js';
import { readApi, searchApi, unknownKeys } from './read-api.js';

/** The call of any tool of a server. */
export interface AgentCall {
  agent: Agent;
  /** True if the body exceeds the limit of a call without files. */
  isLarge: boolean;
  address(path: string): string;
  /** Looks up the token again. Returns undefined if it is no longer valid. Throws FORBIDDEN if it lacks the scope for the mode of the server. */
  again(): Promise<Agent | undefined>;
}

interface CodeToolCall extends AgentCall {
  name: string;
  given: JsonObject;
  elicited: Elicited;
}

interface Needs {
  surfaceOf: SurfaceOf;
  codeRuns: Clients['codeRuns'];
}

/** Serves `tools/call` of a server of mode CODE. Throws RpcError for an unknown tool. Returns invalid arguments as a result. */
export function codeToolsCall(needs: Needs, call: CodeToolCall): Promise<ToolResult | InputRequired> {
  const { agent, name, given } = call;
  if (call.isLarge) throw bodyTooLarge(WITHOUT_FILES_BYTES);
  switch (name) {
    case SEARCH:
      return asTool(async () => searchApi(await codeApiOf(await needs.surfaceOf(agent)), given));
    case READ_API:
      return asTool(async () => readApi(await codeApiOf(await needs.surfaceOf(agent, { isFresh: true })), given));
    case EXECUTE:
      return asTool(() => execute(needs, call));
    default:
      throw new RpcError(RPC_CODES.invalidParams, `Unknown tool: ${name.slice(0, 200)}`);
  }
}

async function execute({ surfaceOf, codeRuns }: Needs, call: CodeToolCall): Promise<ToolResult | InputRequired> {
  const { given, elicited, address } = call;
  // After the user has seen the page of an approval, the client sends the same arguments with the approval's id as its state. The stored run
  // continues, so the repeated program does not run again.
  const { requestState } = elicited;
  const request = requireCodeRequest(requestState === undefined ? toCodeRequest(given) : { approvalId: requestState });
  const run = await executeCode({ codeRuns }, { admit: admitting(surfaceOf, call, optionsOf(request)), request });
  return askUser(run, call) ?? toCodeResult(run, address);
}

/** Returns the `admit` of a run. The request is already authorized, so the first call of `admit` does not look up the token again. */
function admitting(
  surfaceOf: SurfaceOf,
  { agent, again }: CodeToolCall,
  options: SurfaceOptions,
): () => Promise<CodeServer> {
  let next: Agent | undefined = agent;
  return async () => {
    const current = next ?? (await again());
    next = undefined;
    if (!current)
      throw new ApiError(
        'UNAUTHENTICATED',
        'The token of this agent has expired or was revoked. Connect again with a new token',
      );
    const { door, bearer } = current;
    requireCodeMode(door);
    return { door, endUser: bearer, api: await codeApiOf(await surfaceOf(current, options)) };
  };
}

/** Throws VALIDATION_ERROR for unknown arguments, and INVALID_CODE_EXECUTE_REQUEST for invalid values. */
function toCodeRequest({ code, approvalId, waitForApprovalSeconds, ...others }: JsonObject): CodeRequest {
  const unknown = unknownKeys(others, 'code, approvalId, waitForApprovalSeconds');
  if (Object.keys(unknown).length > 0) throw invalid(unknown);
  return { code: textIn('code', code), approvalId: textIn('approvalId', approvalId), waitForApprovalSeconds };
}

function textIn(field: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw invalidCodeRequest(field, 'must be a string');
  return value;
}

/** Returns a result that asks the client to open the page of the next approval, or undefined if the client cannot open pages. */
function askUser({ result }: CodeRunResult, { elicited, address }: CodeToolCall): InputRequired | undefined {
  if (result?.$case !== 'waiting') return undefined;
  const [next] = approvalsOf(result.value, address);
  const url = next && urlOf(next);
  return url
    ? elicitUrl(elicited, { message: 'The program needs your approval.', url, requestState: next.id })
    : undefined;
}
