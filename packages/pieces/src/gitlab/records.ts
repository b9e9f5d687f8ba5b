import { expandPath, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

/** Returns a path below a project. The project is an id or a path such as "group/project". */
export const inProject = (project: string, path: string, values: { [name: string]: string | number } = {}): string =>
  expandPath(`/api/v4/projects/{project}${path}`, { ...values, project });

const COMMON = {
  ...same('id', 'iid', 'project_id', 'title', 'description', 'state', 'labels', 'web_url', 'created_at', 'updated_at'),
  ...{ author: 'author.username', assignees: 'assignees.*.username' },
};
const ISSUE = { ...COMMON, ...same('due_date', 'confidential'), milestone: 'milestone.title' };
const MERGE_REQUEST = {
  ...COMMON,
  ...same('source_branch', 'target_branch', 'draft', 'detailed_merge_status', 'merged_at', 'sha', 'has_conflicts'),
  ...{ reviewers: 'reviewers.*.username', pipeline: 'head_pipeline.status' },
};

export const toIssue = (issue: JsonValue): JsonObject => pickFields(issue, ISSUE);
export const toMergeRequest = (request: JsonValue): JsonObject => pickFields(request, MERGE_REQUEST);
