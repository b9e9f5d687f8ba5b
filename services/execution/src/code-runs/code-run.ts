import { createHash } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { type CodeRun as GatedRun, type CodeRunApprovals } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type DataKeyServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/data_keys';
import { type CodeSurface } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { caller, type Client, type Memoized } from '@drawbridge/rpc';
import { type TenantLimiter } from '@drawbridge/turns';
import { type Pipeline } from '../pipeline/pipeline.js';
import { type CodeRunners } from '../running/code-runner.js';
import { type Analyzer } from './analyzer.js';

/** The time of a part of a run, and of the calls that are under way at its end. */
export const PART_MS = 310_000;

/** The resources of runs of programs. */
export interface CodeRuns {
  pipeline: Pipeline;
  code: Pick<CodeRunners, 'acquireSlot'>;
  dataKeys: Client<DataKeyServiceDefinition>;
  analyzer: Analyzer;
  /** The continuations of each organization that are held open. */
  waits: TenantLimiter;
  /** Returns the approvals of a run, as read within the last second. */
  decisions: Memoized<CodeRunApprovals, [workspaceId: string]>;
}

/** The facts that identify a run for its rows, its approvals and its encryption. */
export interface CodeRun {
  id: string;
  orgId: string;
  workspaceId: string;
  mcpServerId: string;
  /** The externalId of the end user. */
  endUserId?: string;
  endUserRecordId?: string;
  /** SHA-256 of the code in hex. */
  codeHash: string;
  /** SHA-256 of the tools in hex. */
  surfaceHash: string;
}

export function newCodeRun({ hash, ...surface }: CodeSurface, code: string): CodeRun {
  const { workspaceId, mcpServerId, endUserId, endUserRecordId } = surface;
  const owner = { orgId: caller().orgId, workspaceId, mcpServerId, endUserId, endUserRecordId };
  const codeHash = createHash('sha256').update(code).digest('hex');
  return { id: newId(), ...owner, codeHash, surfaceHash: hash };
}

export function toGatedRun({ id, codeHash, surfaceHash }: CodeRun): GatedRun {
  return { id, codeHash, toolSurfaceHash: surfaceHash };
}

/** Waits for a slot of the sandbox. Throws RATE_LIMITED and TIMEOUT. End users of one server share the slots of the organization fairly. */
export function acquireSlot({ code }: Pick<CodeRuns, 'code'>, surface: CodeSurface, signal?: AbortSignal) {
  const by = JSON.stringify([surface.mcpServerId, surface.endUserId]);
  return code.acquireSlot({ organization: caller().orgId, caller: by, signal });
}
