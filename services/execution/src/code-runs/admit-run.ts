import { type JsonObject } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import {
  type CodeRunApprovals,
  type PredictedCall,
  type Preview,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type CodeSurface, type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { NOTHING } from '../pipeline/connection.js';
import { type Pipeline } from '../pipeline/pipeline.js';
import { type Analysis, type ApiTool, summaryOf } from './analyze-code.js';
import { type CodeRun, toGatedRun } from './code-run.js';
import { pathOf } from './find-tool.js';

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
  { policies, previewer }: Pick<Pipeline, 'policies' | 'previewer'>,
  program: Program,
): Promise<CodeRunApprovals | undefined> {
  const { run, surface, analysis } = program;
  const predicted = new Set(analysis.predictedTools);
  const calls = surface.tools.filter((tool) => predicted.has(pathOf(tool))).map((tool) => toPredicted(tool, surface));
  if (calls.length === 0) return undefined;
  const preview = (): Promise<Preview> =>
    previewer.preview(run.orgId, toFields(program), { action: { props: {} }, redact: NOTHING });
  return policies.admitCodeRun(async () => ({
    workspaceId: surface.workspaceId,
    run: toGatedRun(run),
    calls,
    preview: await preview(),
  }));
}

function toPredicted(tool: CodeTool, { endUserId, mcpServerId }: CodeSurface): PredictedCall {
  const { integrationName, actionName, workspaceIntegrationId, connectionStrategy, connectionId, category } = tool;
  const named = { integrationName, actionName, workspaceIntegrationId, connectionStrategy, connectionId, category };
  const recipients = [...(actionOf(tool)?.recipients ?? [])];
  return { path: pathOf(tool), call: { ...named, recipients, endUserId, mcpServerId, calledAlias: tool.alias } };
}

/** The fields of the approval, in the order in which approvers see them. */
function toFields({ run, surface, code, analysis }: Program): JsonObject {
  const { predictedTools, externalDomains, storageIndicators, analysisConfidence, dynamicSignals } = analysis;
  const { intentSummary, impactSummary } = summaryOf(analysis, surface.tools.map(toApiTool));
  return {
    type: 'mcp_code_batch_run',
    codeRunId: run.id,
    intentSummary,
    impactSummary,
    predictedTools,
    availableApps: [...new Set(surface.tools.map(({ integrationDisplayName }) => integrationDisplayName))],
    externalDomains,
    storageIndicators,
    analysisConfidence,
    dynamicSignals,
    codeHash: run.codeHash,
    toolSurfaceHash: run.surfaceHash,
    code,
  };
}

/** The summary needs neither descriptions nor schemas. */
function toApiTool(tool: CodeTool): ApiTool {
  const { alias, actionName, integrationName, integrationDisplayName, displayName, category } = tool;
  const named = { alias, actionName, integrationName, integrationDisplayName, displayName, category };
  const effect = actionOf(tool)?.effect ?? (category === 'read' ? 'read' : 'write');
  return { ...named, effect, description: '', inputSchema: {}, defaultedKeys: [] };
}

function actionOf({ integrationName, actionName }: CodeTool) {
  const actions = findPiece(integrationName)?.actions ?? {};
  return Object.hasOwn(actions, actionName) ? actions[actionName] : undefined;
}
