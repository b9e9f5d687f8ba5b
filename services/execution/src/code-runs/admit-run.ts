import { ApiError } from '@drawbridge/contracts';
import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import {
  type CodeRunApprovals,
  type PredictedCall,
  type Preview,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type CodeSurface, type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { isOutage } from '@drawbridge/rpc';
import { invocationOf, NOTHING, select, type SelectedConnection } from '../pipeline/connection.js';
import { type Pipeline } from '../pipeline/pipeline.js';
import { type Analysis, pathOf, summaryOf } from '@drawbridge/code-mode';
import { type CodeRun, toGatedRun } from './code-run.js';

interface Program {
  run: CodeRun;
  surface: CodeSurface;
  code: string;
  analysis: Analysis;
}

/**
 * Evaluates the policies for the predicted calls of a program, and creates one approval request for each policy that requires approval. Returns
 * undefined if no calls are predicted or the organization has no policies. Throws the errors of the approvals service.
 */
export async function admitRun(
  pipeline: Pick<Pipeline, 'policies' | 'previewer' | 'vault'>,
  program: Program,
): Promise<CodeRunApprovals | undefined> {
  const { run, surface, analysis } = program;
  const predicted = new Set(analysis.predictedTools);
  const tools = surface.tools.filter((tool) => predicted.has(pathOf(tool)));
  if (tools.length === 0) return undefined;
  return pipeline.policies.admitCodeRun(async () => {
    const connections = await selectConnections(pipeline, surface, tools);
    return {
      workspaceId: surface.workspaceId,
      run: toGatedRun(run),
      calls: tools.map((tool, at) => toPredicted(tool, surface, connections[at])),
      preview: await toPreview(pipeline, program),
    };
  });
}

function toPredicted(
  tool: CodeTool,
  { endUserId, mcpServerId }: CodeSurface,
  selected: SelectedConnection | undefined,
): PredictedCall {
  const { integrationName, actionName, workspaceIntegrationId, connectionStrategy, category } = tool;
  const { connectionId, generation: connectionGeneration, displayName: account } = selected ?? {};
  const named = { integrationName, actionName, workspaceIntegrationId, connectionStrategy, category };
  const recipients = [...(actionOf(tool)?.recipients ?? [])];
  const using = { connectionId, connectionGeneration, account };
  return {
    path: pathOf(tool),
    call: { ...named, ...using, recipients, endUserId, mcpServerId, calledAlias: tool.alias },
  };
}

/**
 * Selects the connections that the predicted calls would use now, because an approval covers only these connections and their accounts. The result is
 * undefined for a call without a connection, and for a call that would fail. If a failing call succeeds later, it needs a separate approval.
 */
async function selectConnections(
  pipeline: Pick<Pipeline, 'vault'>,
  surface: CodeSurface,
  tools: readonly CodeTool[],
): Promise<(SelectedConnection | undefined)[]> {
  const selections = new Map<string, Promise<SelectedConnection | undefined>>();
  return Promise.all(
    tools.map((tool) => {
      const key = JSON.stringify([tool.integrationName, tool.workspaceIntegrationId, tool.connectionId]);
      const selecting = selections.get(key) ?? selectConnection(pipeline, surface, tool);
      selections.set(key, selecting);
      return selecting;
    }),
  );
}

async function selectConnection(
  pipeline: Pick<Pipeline, 'vault'>,
  { workspaceId, mcpServerId, endUserId }: CodeSurface,
  { integrationName, workspaceIntegrationId: id, alias, connectionStrategy = '', ...tool }: CodeTool,
): Promise<SelectedConnection | undefined> {
  const piece = findPiece(integrationName);
  if (!piece) return undefined;
  const instance =
    id === undefined ? undefined : { id, alias, connectionStrategy, connectionId: tool.integrationConnectionId };
  const request = { integrationName, workspaceId, endUserId };
  const invocation = invocationOf(piece, instance);
  const called = { mcpServerId, connectionId: tool.connectionId };
  return select(pipeline, { request, invocation, tool: called }).catch(unlessOutage);
}

/**
 * Ignores an error of the connection selection, because the program receives the error when it makes the call and can catch it. Rethrows outages and
 * timeouts.
 */
function unlessOutage(error: unknown): undefined {
  if (error instanceof ApiError && !isOutage(error) && error.code !== 'TIMEOUT') return undefined;
  throw error;
}

/**
 * Maximum size of each list in the preview, in bytes of JSON. Items beyond the limit are omitted, so that the list stays valid JSON and leaves space
 * for the code.
 */
const MAX_LIST_BYTES = {
  predictedTools: 8_000,
  availableApps: 4_000,
  externalDomains: 2_000,
  storageIndicators: 1_000,
  dynamicSignals: 2_000,
};

/** Builds the preview of a program for approvers. The approvals service adds which calls need an approval. */
async function toPreview({ previewer }: Pick<Pipeline, 'previewer'>, program: Program): Promise<Preview> {
  const { run, surface, code, analysis } = program;
  const { predictedTools, externalDomains, storageIndicators, analysisConfidence, dynamicSignals } = analysis;
  const apps = new Map(surface.tools.map(({ alias, integrationDisplayName }) => [alias, integrationDisplayName]));
  const availableApps = [...apps].map(([alias, displayName]) => ({ alias, displayName }));
  const lists = { predictedTools, availableApps, externalDomains, storageIndicators, dynamicSignals };
  const shown = cutLists(lists);
  const input: JsonObject = {
    type: 'mcp_code_batch_run',
    codeRunId: run.id,
    ...summaryOf(analysis, surface.tools),
    ...shown,
    predictedToolCount: predictedTools.length,
    analysisConfidence,
    codeHash: run.codeHash,
    toolSurfaceHash: run.surfaceHash,
    code,
  };
  const preview = await previewer.preview(run.orgId, input, { action: { props: {} }, redact: NOTHING });
  const cut = LISTS.filter((name) => shown[name].length < lists[name].length);
  return { ...preview, truncatedFields: [...new Set([...preview.truncatedFields, ...cut])] };
}

type Lists = Record<keyof typeof MAX_LIST_BYTES, readonly JsonValue[]>;
const LISTS = Object.keys(MAX_LIST_BYTES) as (keyof Lists)[];

function cutLists(lists: Lists): Record<keyof Lists, JsonValue[]> {
  const cut = (name: keyof Lists): JsonValue[] => {
    let left = MAX_LIST_BYTES[name];
    return lists[name].filter((item) => (left -= Buffer.byteLength(JSON.stringify(item)) + 1) >= 0);
  };
  return Object.fromEntries(LISTS.map((name) => [name, cut(name)])) as Record<keyof Lists, JsonValue[]>;
}

function actionOf({ integrationName, actionName }: CodeTool) {
  const actions = findPiece(integrationName)?.actions ?? {};
  return Object.hasOwn(actions, actionName) ? actions[actionName] : undefined;
}
