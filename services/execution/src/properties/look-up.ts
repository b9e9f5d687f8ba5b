import { type JsonObject } from '@drawbridge/piece-kit';
import { type Instance } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type JudgeRequest } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { requireUnblocked, toGatedCall } from '../pipeline/gate.js';
import { type Pipeline } from '../pipeline/pipeline.js';
import { runAsked } from '../pipeline/run-opened.js';
import { type Work } from '../running/work.js';
import { type Question } from './find-question.js';

type Lookup = Extract<Work, { propertyName: string }>;

/** A request for the options or nested fields of a form field (a lookup), with its context. */
export interface Inquiry extends Question {
  kind: Lookup['kind'];
  search?: string;
  /** The values that the form contains so far. */
  input: JsonObject;
  /** The workspace that uses the connection. */
  workspaceId?: string;
  instance?: Instance;
  endUserId?: string;
  /** The MCP server of the tool that made the call. */
  mcpServerId?: string;
  /** The alias of that MCP tool. */
  calledAlias?: string;
  /** Finds the connection. Called only if the lookup sends a request to the provider. Returns undefined if the lookup runs without a connection. */
  findConnection(): Promise<string | undefined>;
}

/**
 * Runs the lookup and returns its redacted result. The lookup is not claimed, counted or recorded, and ends if the caller disconnects. Throws
 * OPTIONS_FAILED or RESOLVE_FAILED, VALIDATION_ERROR for an input that the property cannot use, FORBIDDEN if a policy blocks the call, and the errors
 * of finding and opening a connection.
 */
export async function lookUp(pipeline: Pipeline, inquiry: Inquiry): Promise<unknown> {
  const { piece, property, kind, operation, propertyName, search, input } = inquiry;
  const work = { kind, operation, propertyName, search };
  const asksThirdParty = property.loadOptions ?? property.loadProps;
  const connectionId = asksThirdParty && (await inquiry.findConnection());
  const requireRedirect = asksThirdParty && (await requireUnblocked(pipeline, toJudged(inquiry, connectionId)));
  const used = { request: { workspaceId: inquiry.workspaceId }, piece };
  const failed = kind === 'options' ? 'OPTIONS_FAILED' : 'RESOLVE_FAILED';
  return runAsked(pipeline, { ...used, connectionId, work, input, failed, requireRedirect });
}

/** Builds the request to evaluate the policies. A lookup is evaluated like the action of its form, with the current input of the form. */
function toJudged(inquiry: Inquiry, connectionId: string | undefined): JudgeRequest {
  const { piece, operation, workspaceId } = inquiry;
  const { actionName } = operation;
  const action = actionName === undefined ? undefined : piece.actions[actionName];
  return {
    workspaceId,
    call: toGatedCall({ ...inquiry, integrationName: piece.name, actionName, action, connectionId }),
  };
}
