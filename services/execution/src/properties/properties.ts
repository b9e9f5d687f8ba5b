import { ApiError, invalid } from '@drawbridge/contracts';
import { dynamicProblem, type Piece, type Property, type PropertyError, selectProblem } from '@drawbridge/piece-kit';
import {
  type PropertyOptions,
  type PropertyServiceDefinition,
  type ResolvedProperties,
  type ResolvePiecePropertiesRequest,
  type ResolvePropertiesRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/properties';
import { type Implementation, requireInScope } from '@drawbridge/rpc';
import { type CalledTool } from '../claims/idempotency-key.js';
import { type Pipeline } from '../pipeline/pipeline.js';
import { invocationOf, select } from '../pipeline/connection.js';
import { findPieceQuestion, findQuestion } from './find-question.js';
import { type Inquiry, lookUp } from './look-up.js';

/** Implements the RPCs that load the options and nested fields of form fields from the provider. */
export const properties = (pipeline: Pipeline): Implementation<PropertyServiceDefinition> => ({
  async resolveOptions({ searchValue: search, ...form }) {
    const inquiry = await ofIntegration(pipeline, form, 'options');
    return (await lookUp(pipeline, { ...inquiry, search })) as PropertyOptions;
  },

  async resolveProperties(form) {
    return (await lookUp(pipeline, await ofIntegration(pipeline, form, 'properties'))) as ResolvedProperties;
  },

  async resolveToolOptions({ form, ...tool }) {
    const { searchValue: search, ...its } = form!;
    const inquiry = await ofIntegration(pipeline, its, 'options', tool);
    return (await lookUp(pipeline, { ...inquiry, search })) as PropertyOptions;
  },

  async resolveToolProperties({ form, ...tool }) {
    return (await lookUp(pipeline, await ofIntegration(pipeline, form!, 'properties', tool))) as ResolvedProperties;
  },

  async resolvePieceOptions(form) {
    return (await lookUp(pipeline, await ofPiece(pipeline, form, 'options'))) as PropertyOptions;
  },

  async resolvePieceProperties(form) {
    return (await lookUp(pipeline, await ofPiece(pipeline, form, 'properties'))) as ResolvedProperties;
  },
});

const PROBLEM: Record<Inquiry['kind'], (property: Property) => PropertyError | undefined> = {
  options: selectProblem,
  properties: dynamicProblem,
};

/** Builds the lookup with the configured integration and the connection that the action, or its MCP tool, would use. */
async function ofIntegration(
  pipeline: Pipeline,
  form: ResolvePropertiesRequest,
  kind: Inquiry['kind'],
  tool?: CalledTool,
): Promise<Inquiry> {
  requireWhole(form);
  const question = findQuestion(form);
  const { workspaceId } = form;
  const draft = { ...form, actionName: '', ...question.operation, isDraft: true };
  const invocation =
    workspaceId === undefined
      ? invocationOf(question.piece) // Without a workspace there is no configured integration.
      : await pipeline.invocations.resolveInvocation({ ...draft, workspaceId });
  requireResolvable(question.property, kind);
  const input = invocation.input ?? form.input ?? {};
  const findConnection = async (): Promise<string | undefined> =>
    (await select(pipeline, { request: form, invocation, tool }))?.connectionId;
  const owner = {
    instance: invocation.instance,
    endUserId: form.endUserId,
    mcpServerId: tool?.mcpServerId,
    calledAlias: tool?.toolAlias,
  };
  return { ...question, kind, workspaceId, ...owner, input, findConnection };
}

/** Builds the lookup with the connection that the form names by id. */
async function ofPiece(
  pipeline: Pipeline,
  form: ResolvePiecePropertiesRequest,
  kind: Inquiry['kind'],
): Promise<Inquiry> {
  const { connectionId, input = {} } = form;
  const question = findPieceQuestion(form, PROBLEM[kind]);
  const integrationName = question.piece.name;
  const place = connectionId && (await pipeline.vault.locateConnection({ integrationName, connectionId }));
  const { workspaceId, endUserId } = place || {};
  requireInScope(...(place ? [workspaceId] : []));
  if (workspaceId) await pipeline.requireWorkspace(workspaceId);
  requireResolvable(question.property, kind);
  const findConnection = async (): Promise<string | undefined> => connectionId ?? withoutConnection(question.piece);
  return { ...question, kind, workspaceId, endUserId, input, findConnection };
}

function requireResolvable(property: Property, kind: Inquiry['kind']): void {
  const problem = PROBLEM[kind](property);
  if (problem) throw new ApiError(problem.code, problem.message);
}

/** Throws VALIDATION_ERROR if the form has fields that need a workspace but names no workspace. */
function requireWhole({ workspaceId, ...form }: ResolvePropertiesRequest): void {
  const keys = ['workspaceIntegrationId', 'integrationAlias', 'endUserId', 'partialIds'] as const;
  const within = keys.filter((key) => form[key]?.length);
  if (workspaceId !== undefined || within.length === 0) return;
  throw invalid({ workspaceId: `is required with ${within.join(', ')}` });
}

/** Throws CONNECTION_REQUIRED if the piece requires a connection. */
function withoutConnection({ name, auth }: Piece): undefined {
  if (!auth?.required) return undefined;
  const details = { reason: 'not_connected', connectionId: null };
  throw new ApiError('CONNECTION_REQUIRED', `${name} needs a connection: send connectionId`, { details });
}
