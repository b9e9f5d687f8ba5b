import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import canonicalize from 'canonicalize';
import { type Pool } from 'pg';
import { type Run } from '../run-log/record.js';

/** The MCP tool that makes a call. */
export interface CalledTool {
  mcpServerId: string;
  /** The connection that the MCP server assigns to the tool. */
  connectionId?: string;
  /** The alias of the tool. Policies can match it. */
  toolAlias?: string;
}

/**
 * Returns a hash of the request without its idempotency key, in canonical form (RFC 8785). A key can only be reused with a request that has the same
 * hash. An absent input equals `{}`, and UUIDs are case-insensitive. The hash contains the MCP server of a tool, so that tools of different servers
 * never share a result.
 */
export function requestHash({ idempotencyKey: _key, ...request }: ExecuteActionRequest, tool?: CalledTool): string {
  const canonical = {
    ...request,
    tool: tool && { mcpServerId: tool.mcpServerId, connectionId: tool.connectionId },
    input: request.input ?? {},
    workspaceId: request.workspaceId.toLowerCase(),
    workspaceIntegrationId: request.workspaceIntegrationId?.toLowerCase(),
    partialIds: request.partialIds?.map((id) => id.toLowerCase()),
  };
  return createHash('sha256')
    .update(canonicalize(canonical) ?? '')
    .digest('hex');
}

/** An idempotency key, which is unique within its organization, and the hash of the request that uses it. */
export interface IdempotencyKey {
  orgId: string;
  key: string;
  requestHash: string;
}

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

const RENEW = {
  name: 'renew-claim',
  text: `
    UPDATE execution.claims SET lease_until = now() + interval '15 seconds'
    WHERE org_id = $1 AND key = $2 AND execution_id = $3 AND outcome IS NULL`,
};

/**
 * The right of a process to execute the run that claimed an idempotency key. When the lease lapses, other processes assume that this process exited.
 */
export interface Lease {
  /** Returns the end of the lease on the clock of `performance.now()`. Each renewal extends it. */
  endsAt(): number;
  release(): void;
}

/** The leases of the runs that this process executes. */
export interface Leases {
  /** Renews the lease of a new claim until it is released. */
  hold(key: IdempotencyKey, run: Run): Lease;
  /**
   * Returns true if this process executes the run. The run must then not be settled as lost, because this process stores its outcome even if the
   * lease has lapsed.
   */
  has(executionId: string): boolean;
}

export function leases(pool: Pool): Leases {
  const held = new Set<string>();
  return {
    has: (executionId) => held.has(executionId),
    hold({ orgId, key }, { id }) {
      let endsAt = performance.now() + LEASE_MS;
      const renew = async (): Promise<void> => {
        const askedAt = performance.now();
        const { rowCount } = await pool.query({ ...RENEW, values: [orgId, key, id] });
        if (rowCount === 1) endsAt = askedAt + LEASE_MS;
      };
      // The next interval retries a failed renewal. If all renewals fail, the lease lapses and waiting requests receive OUTCOME_UNKNOWN.
      const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
      held.add(id);
      const release = (): void => {
        clearInterval(timer);
        held.delete(id);
      };
      return { endsAt: () => endsAt, release };
    },
  };
}

const RELEASE = 'DELETE FROM execution.claims WHERE org_id = $1 AND key = $2 AND execution_id = $3 AND outcome IS NULL';
// Deleting a claim is retried for as long as its lease lasts (15 s). After that, the claim has lapsed, and the run is recorded as OUTCOME_UNKNOWN.
const RELEASE_PAUSE_MS = 250;
const RELEASE_TRIES = 60;

/** Deletes the claim of a run that never started, so that another request can use the key. Retries for 15 s and never rejects. */
export async function releaseClaim(
  pool: Pool,
  { orgId, key }: Pick<IdempotencyKey, 'orgId' | 'key'>,
  { id }: Pick<Run, 'id'>,
): Promise<void> {
  for (let tries = 0; tries < RELEASE_TRIES; tries += 1) {
    try {
      return void (await pool.query(RELEASE, [orgId, key, id]));
    } catch {
      await sleep(RELEASE_PAUSE_MS, undefined, { ref: false });
    }
  }
}

/** The format in which a claim stores its run: the input is JSON and not a string. */
export type StoredRun = Omit<Run, 'inputJson'> & { input: unknown };

export function toStored({ inputJson, ...run }: Run): StoredRun {
  return { ...run, input: JSON.parse(inputJson) };
}
