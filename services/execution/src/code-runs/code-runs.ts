import { type CodeRunServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type Implementation, memoize } from '@drawbridge/rpc';
import { TenantLimiter } from '@drawbridge/turns';
import { type CodeRuns } from './code-run.js';
import { continueCode } from './continue-code.js';
import { executeCode } from './execute-code.js';

/** Maximum number of continuation requests of an organization that wait at the same time in one process. */
const HELD_WAITS = { atOnce: 100, waiting: 0 };
/**
 * Time for which the approvals of a run are cached. It is slightly shorter than the pause between two attempts of a continuation, so that each
 * attempt sees new decisions.
 */
const DECISION_MS = 900;

/** Implements the RPCs that run programs of Code Mode. Each call of a program passes the same pipeline as any other action. */
export function codeRuns(parts: Omit<CodeRuns, 'waits' | 'decisions'>): Implementation<CodeRunServiceDefinition> {
  const { policies } = parts.pipeline;
  const decisions = memoize({ ttlMs: DECISION_MS }, (codeRunId, workspaceId: string) =>
    policies.getCodeRunApprovals({ workspaceId, codeRunId }),
  );
  const needs = { ...parts, waits: new TenantLimiter(HELD_WAITS), decisions };
  return {
    executeCode: (request) => executeCode(needs, request),
    continueCode: (request) => continueCode(needs, request),
  };
}
