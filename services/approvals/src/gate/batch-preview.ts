import { type CodeRun, type Preview } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type CodeRunType, toApprovalId } from '../requests/approval-request.js';
import { coveredCalls, type Group, MAX_PATHS } from './code-run-groups.js';

/** The `type` in the preview of a batch request. */
const BATCH_RUN: CodeRunType = 'mcp_code_batch_run';

interface Run {
  run: CodeRun;
  /** The preview of the program, without the groups of calls that need approval. */
  preview: Preview;
  groups: readonly Group[];
}

/**
 * Returns the preview of the approval request for the group `own`. It lists the tools of all groups of the run. All other groups share one limit,
 * because every request of the run contains these lists. A shortened list is added to `truncatedFields`.
 */
export function batchPreview(own: Group, { run, preview, groups }: Run): Preview {
  const given = Object.entries(preview.input ?? {});
  const required = groups.flatMap(pathsOf);
  const shownGroups = groupsShownTo(own, groups);
  const lists: [string, unknown][] = [...given, ['approvalRequiredTools', required]];
  const isShort = (value: unknown): boolean => !Array.isArray(value) || value.length <= MAX_PATHS;
  const cutLists = lists.filter(([, value]) => !isShort(value)).map(([key]) => key);
  const cutGroups = shownGroups.some(({ tools, toolCount }) => tools.length < toolCount) ? ['approvalGroups'] : [];
  return {
    ...preview,
    input: {
      ...Object.fromEntries(lists.map(([key, value]) => [key, isShort(value) ? value : firstOf(value)])),
      predictedToolCount: countOf(preview.input ?? {}),
      approvalRequiredToolCount: required.length,
      approvalGroups: shownGroups,
      ...{ type: BATCH_RUN, codeRunId: run.id, codeHash: run.codeHash, toolSurfaceHash: run.toolSurfaceHash },
    },
    truncatedFields: [...new Set([...preview.truncatedFields, ...cutLists, ...cutGroups])],
  };
}

const pathsOf = ({ calls }: Group): string[] => calls.map(({ path }) => path);

/**
 * Returns the number of tools that the program is predicted to call. If the caller already shortened the list, the original length is in
 * `predictedToolCount`.
 */
function countOf({ predictedTools, predictedToolCount }: NonNullable<Preview['input']>): number {
  const listed = Array.isArray(predictedTools) ? predictedTools.length : 0;
  return typeof predictedToolCount === 'number' ? Math.max(predictedToolCount, listed) : listed;
}

const firstOf = (list: unknown): unknown[] => (list as unknown[]).slice(0, MAX_PATHS);

function groupsShownTo(own: Group, groups: readonly Group[]) {
  const each = Math.floor(MAX_PATHS / Math.max(1, groups.length - 1));
  return groups.map((group) => {
    const tools = coveredCalls(group).batchTools.slice(0, group === own ? MAX_PATHS : each);
    const { policy, calls, id } = group;
    const { id: policyId, name: policyName, decision } = policy;
    return { policyId, policyName, decision, tools, toolCount: calls.length, approvalId: toApprovalId(id) };
  });
}
