import { type Pool } from 'pg';
import { type RunId } from './code-run-rows.js';

/** Maximum id of a call. Ids are numbers from 1. A run executes at most 1,000 calls, but rejected calls have ids too. */
const MAX_CALL_ID = 5_000;

const FIND = `
  SELECT key, request_hash AS "requestHash" FROM execution.claims
  WHERE org_id = $1::uuid AND key = ANY($2::text[]) AND expires_at > now()`;

export const keyOf = ({ id }: RunId, callId: string): string => `${id}:${callId}`;

/**
 * The actions that a process executed before it exited, but after the state from which the run is repeated. Their results are replayed by idempotency
 * key, as long as the program makes the same calls. A program that depends on the time or on the order of results can make other calls.
 */
export class ReplayedCalls {
  private constructor(private readonly hashes: Map<string, string>) {}

  static async find(pool: Pool, run: RunId): Promise<ReplayedCalls> {
    const ids = Array.from({ length: MAX_CALL_ID }, (_, at) => keyOf(run, String(at + 1)));
    const { rows } = await pool.query<{ key: string; requestHash: string }>(FIND, [run.orgId, ids]);
    return new ReplayedCalls(new Map(rows.map(({ key, requestHash }) => [key, requestHash])));
  }

  /**
   * Returns false if the exited process made another call under this id or may have made this call under another id, or if the id is above the limit.
   * The call could then execute an action twice.
   */
  isSame(key: string, requestHash: string): boolean {
    if (Number(key.slice(key.lastIndexOf(':') + 1)) > MAX_CALL_ID) return false;
    const hash = this.hashes.get(key);
    this.hashes.delete(key);
    if (hash !== undefined) return hash === requestHash;
    return ![...this.hashes.values()].includes(requestHash);
  }
}
