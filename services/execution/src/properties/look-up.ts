import { type JsonObject } from '@drawbridge/piece-kit';
import { type Instance } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type JudgeRequest } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { requireUnblocked, toGatedCall } from '../pipeline/gate.js';
import { type Pipeline } from '../pipeline/pipeline.js';
import { runAsked } from '../pipeline/run-asked.js';
import { type Work } from '../running/work.js';
import { type Question } from './find-question.js';

type Lookup = Extract<Work, { propertyName: string }>;

/** What a form asks, and what with. */
export interface Inquiry extends Question {
  kind: Lookup['kind'];
  search?: string;
  /** The form's values so far. */
  input: JsonObject;
  /** Where its connection is used. */
  workspaceId?: string;
  instance?: Instance;
  endUserId?: string;
  /** By whose tool it came. */
  mcpServerId?: string;
  /** That tool's own alias. */
  calledAlias?: string;
  /** Asked where the third party is. Undefined: it goes without a connection. */
  findConnection(): Promise<string | undefined>;
}

/**
 * The answer of the kit, the credential out of it. Nothing is claimed, counted or recorded; who hangs up ends it. Throws OPTIONS_FAILED
 * or RESOLVE_FAILED, VALIDATION_ERROR for an input that the property can't work with, FORBIDDEN where a policy blocks it, and as finding
 * and opening a connection does.
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

/** What it asks for is judged as the action is, with the input so far. */
function toJudged(inquiry: Inquiry, connectionId: string | undefined): JudgeRequest {
  const { piece, operation, workspaceId } = inquiry;
  const { actionName } = operation;
  const action = actionName === undefined ? undefined : piece.actions[actionName];
  return {
    workspaceId,
    call: toGatedCall({ ...inquiry, integrationName: piece.name, actionName, action, connectionId }),
  };
}
