import { ROLES } from '@drawbridge/contracts';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { entryProblems, oneOf, type Problems } from './entry-problems.js';

/** The field that each type requires, and that no other type may have. */
const FIELD_OF: Record<string, keyof ApprovalApprover> = {
  org_role: 'roles',
  dashboard_user: 'userIds',
  webhook: 'webhookUrl',
};
const TYPES = ['org_role', 'dashboard_user', 'end_user', 'webhook'];

export function approverProblems(
  approver: ApprovalApprover,
  index: number,
  denies: (url: string) => string | undefined,
): Problems {
  const path = `approvers[${index}]`;
  const { type, ...fields } = approver;
  if (type === undefined) return [[`${path}.type`, 'is required']];
  const notKnown = oneOf(TYPES)(type);
  if (notKnown !== undefined) return [[`${path}.type`, notKnown]];
  const wanted = FIELD_OF[type];
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return [
    ...given.flatMap(([key]): Problems => (key === wanted ? [] : [[`${path}.${key}`, `is nothing of ${type}`]])),
    ...(wanted === undefined ? [] : valueProblems(`${path}.${wanted}`, approver[wanted], denies)),
  ];
}

function valueProblems(path: string, value: unknown, denies: (url: string) => string | undefined): Problems {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return [[path, 'is required']];
  if (Array.isArray(value)) return entryProblems(path, value, path.endsWith('.roles') ? oneOf(ROLES) : undefined);
  const problem = denies(String(value));
  return problem === undefined ? [] : [[path, problem]];
}
