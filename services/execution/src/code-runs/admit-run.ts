import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import {
  type CodeRunApprovals,
  type PredictedCall,
  type Preview,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type CodeSurface, type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { NOTHING } from '../pipeline/connection.js';
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
 * Evaluates the policies for the predicted calls of a program, and opens one approval for each policy that requires one. Returns undefined if nothing
 * is to evaluate. Fails as the approvals service does.
 */
export async function admitRun(
  pipeline: Pick<Pipeline, 'policies' | 'previewer'>,
  program: Program,
): Promise<CodeRunApprovals | undefined> {
  const { run, surface, analysis } = program;
  const predicted = new Set(analysis.predictedTools);
  const calls = surface.tools.filter((tool) => predicted.has(pathOf(tool))).map((tool) => toPredicted(tool, surface));
  if (calls.length === 0) return undefined;
  return pipeline.policies.admitCodeRun(async () => ({
    workspaceId: surface.workspaceId,
    run: toGatedRun(run),
    calls,
    preview: await toPreview(pipeline, program),
  }));
}

function toPredicted(tool: CodeTool, { endUserId, mcpServerId }: CodeSurface): PredictedCall {
  const { integrationName, actionName, workspaceIntegrationId, connectionStrategy, connectionId, category } = tool;
  const named = { integrationName, actionName, workspaceIntegrationId, connectionStrategy, connectionId, category };
  const recipients = [...(actionOf(tool)?.recipients ?? [])];
  return { path: pathOf(tool), call: { ...named, recipients, endUserId, mcpServerId, calledAlias: tool.alias } };
}

/** In bytes of JSON: a list that is cut here remains a list, and leaves room for the code. */
const MAX_LIST_BYTES = {
  predictedTools: 8_000,
  availableApps: 4_000,
  dynamicSignals: 2_000,
  externalDomains: 2_000,
  storageIndicators: 1_000,
};

/** Returns what approvers see of a program. The approvals service adds the groups of calls that its policies make. */
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
const LISTS = ['predictedTools', 'availableApps', 'externalDomains', 'storageIndicators', 'dynamicSignals'] as const;

function cutLists(lists: Lists): Record<keyof Lists, JsonValue[]> {
  const cut = (name: keyof Lists): JsonValue[] => {
    let left = MAX_LIST_BYTES[name];
    return lists[name].filter((item) => (left -= Buffer.byteLength(JSON.stringify(item)) + 1) >= 0);
  };
  return {
    predictedTools: cut('predictedTools'),
    availableApps: cut('availableApps'),
    externalDomains: cut('externalDomains'),
    storageIndicators: cut('storageIndicators'),
    dynamicSignals: cut('dynamicSignals'),
  };
}

function actionOf({ integrationName, actionName }: CodeTool) {
  const actions = findPiece(integrationName)?.actions ?? {};
  return Object.hasOwn(actions, actionName) ? actions[actionName] : undefined;
}
