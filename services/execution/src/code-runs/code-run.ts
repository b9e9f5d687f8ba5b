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

/** Time limit of one part of a run (from its start or a pause to the next pause or its end), including the calls that are active at its end. */
export const PART_MS = 310_000;

/** The resources of runs of programs. */
export interface CodeRuns {
  pipeline: Pipeline;
  code: Pick<CodeRunners, 'acquireSlot'>;
  dataKeys: Client<DataKeyServiceDefinition>;
  analyzer: Analyzer;
  /** Limits the number of continuation requests that wait at the same time, per organization. */
  waits: TenantLimiter;
  /** Returns the approvals of a run from a cache that is at most a second old, because many requests can wait for one run. */
  decisions: Memoized<CodeRunApprovals, [workspaceId: string]>;
}

/** The identity of a run. Its database rows, its approvals and its encrypted state are bound to these values. */
export interface CodeRun {
  id: string;
  orgId: string;
  workspaceId: string;
  mcpServerId: string;
  /** The externalId of the end user. */
  endUserId?: string;
  endUserRecordId?: string;
  /** SHA-256 hash of the code, in hex. */
  codeHash: string;
  /** SHA-256 hash of the tools, in hex. */
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

/** Waits for a sandbox slot. The slots of an organization are shared fairly between the end users of each server. Throws RATE_LIMITED and TIMEOUT. */
export function acquireSlot({ code }: Pick<CodeRuns, 'code'>, surface: CodeSurface, signal?: AbortSignal) {
  const by = JSON.stringify([surface.mcpServerId, surface.endUserId]);
  return code.acquireSlot({ organization: caller().orgId, caller: by, signal });
}
