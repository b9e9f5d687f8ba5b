import { ApiError, changeUnknown, notFound } from '@drawbridge/contracts';
import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type McpBearer, type McpDoor } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { currentContext, LostCall } from '@drawbridge/rpc';
import { type Clients } from '../../clients.js';
import { type SurfaceOptions } from '../tool-list.js';
import { type CodeApi } from './code-api.js';
import { MAX_WAIT } from './code-tools.js';

/** Must exceed the sum of the wait for a slot and the longest run (5 minutes), so that the service responds before this timeout. */
const RUN_MS = 325_000;
/** A continuation waits for an approval in parts of at most this length. After each part, the token and the tools are checked again. */
const MAX_PART_SECONDS = 5;
const APPROVAL = /^apr_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The request of a caller: a program, or the approval of a waiting run. */
export interface CodeRequest {
  code?: string;
  approvalId?: string;
  /** An integer from 0 to 60. If absent, the setting of the server applies. */
  waitForApprovalSeconds?: unknown;
}

interface Program {
  code: string;
}

interface Continuation {
  approvalId: string;
  waitSeconds?: number;
}

/** Returns the validated request. Throws INVALID_CODE_EXECUTE_REQUEST, and NOT_FOUND for a malformed approvalId. */
export function requireCodeRequest({ code, approvalId, waitForApprovalSeconds }: CodeRequest): Program | Continuation {
  if (code !== undefined && approvalId !== undefined)
    throw invalidCodeRequest('code', 'must be absent with approvalId: the stored run continues');
  const waitSeconds = waitForApprovalSeconds ?? undefined;
  if (!isWait(waitSeconds)) {
    const got = cutValue(waitSeconds);
    throw invalidCodeRequest('waitForApprovalSeconds', `must be an integer from 0 to ${MAX_WAIT} (got ${got})`);
  }
  if (code !== undefined) return { code };
  if (approvalId === undefined)
    throw invalidCodeRequest('code', 'is required: send code to run it, or approvalId to continue a run');
  if (!APPROVAL.test(approvalId)) throw notFound('Approval', approvalId.slice(0, 64));
  return { approvalId: approvalId.toLowerCase(), waitSeconds };
}

function isWait(value: unknown): value is number | undefined {
  if (value === undefined) return true;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_WAIT;
}

const cutValue = (value: unknown): string => (typeof value === 'object' ? 'an object' : String(value).slice(0, 50));

export function invalidCodeRequest(field: string, message: string): ApiError {
  const details = { fields: { [field]: { message } } };
  return new ApiError('INVALID_CODE_EXECUTE_REQUEST', `${field}: ${message}`, { details });
}

/**
 * Reads the tools without the cache for a continuation: the approval covers the current tools, and a cached tool may still use another connection.
 */
export const optionsOf = (request: Program | Continuation): SurfaceOptions => ({ isFresh: 'approvalId' in request });

/** Throws INVALID_CODE_EXECUTE_REQUEST for a server of mode TOOLS. */
export function requireCodeMode({ mode }: McpDoor): void {
  if (mode === 'CODE') return;
  throw invalidCodeRequest('id', `The MCP server has the mode ${mode}. Set its mode to CODE to execute code`);
}

/** An MCP server with its current tools, as its caller may use them. */
export interface CodeServer {
  door: McpDoor;
  /** The end user that the program acts for, if any. */
  endUser: Pick<McpBearer, 'endUserId' | 'endUserRecordId'>;
  api: CodeApi;
}

interface Run {
  /**
   * Authorizes the caller and reads the tools of the server. It is called again while a continuation waits, and throws if the caller has lost access.
   */
  admit(): Promise<CodeServer>;
  request: Program | Continuation;
}

/**
 * Runs a program, or continues a run. The current caller must have the source `mcp_code`. Throws the errors of `admit` and of the execution service.
 * If the service is lost during a new run, throws an error with the reason outcome_unknown. A continuation can be repeated: its run is stored.
 */
export async function executeCode(
  { codeRuns }: Pick<Clients, 'codeRuns'>,
  { admit, request }: Run,
): Promise<CodeRunResult> {
  const server = await admit();
  if ('approvalId' in request) return continueRun(codeRuns, { server, admit }, request);
  try {
    return await codeRuns.executeCode({ surface: toSurface(server), code: request.code }, { timeoutMs: RUN_MS });
  } catch (error) {
    if (!(error instanceof LostCall) || !error.mayHaveChanged) throw error;
    throw changeUnknown(currentContext()?.requestId ?? '', error);
  }
}

/**
 * Waits for the decision in short parts, so that the request of a token that is revoked during the wait ends soon. After each wait, the caller is
 * authorized and the tools are read again before the run continues.
 */
async function continueRun(
  codeRuns: Clients['codeRuns'],
  { server, admit }: { server: CodeServer; admit: Run['admit'] },
  { approvalId, waitSeconds = server.door.approvalWaitSeconds }: Continuation,
): Promise<CodeRunResult> {
  const endsAt = performance.now() + 1_000 * waitSeconds;
  for (let current = server; ; current = await admit()) {
    const askedAt = performance.now();
    const seconds = Math.min(Math.max(0, Math.ceil((endsAt - askedAt) / 1_000)), MAX_PART_SECONDS);
    const asked = { surface: toSurface(current), approvalId, waitSeconds: seconds, returnsReady: true };
    const run = await codeRuns.continueCode(asked, { timeoutMs: RUN_MS + 1_000 * seconds });
    if (run.result?.$case === 'ready') continue;
    const now = performance.now();
    // The service responds before the wait is over if too many continuations of the organization wait. Then this loop must not call it again.
    const hasWaited = now - askedAt >= 1_000 * seconds;
    if (run.result?.$case !== 'waiting' || !hasWaited || now >= endsAt) return run;
  }
}

function toSurface({ door, endUser, api }: CodeServer) {
  const { workspaceId, serverId: mcpServerId } = door;
  const { endUserId, endUserRecordId } = endUser;
  return { workspaceId, mcpServerId, endUserId, endUserRecordId, hash: api.hash, tools: [...api.codeTools] };
}
