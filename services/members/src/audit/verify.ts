import { invalid } from '@drawbridge/contracts';
import { type Pool, type PoolClient } from 'pg';
import { type AuditEntry, ENTRY_COLUMNS, FIRST_SEAL, sealOf } from './entry.js';

/** Number of rows that one query reads, to limit the memory. */
const PAGE = 5_000;
const MAX_PROBLEMS = 20;

const CHAINS = `
  SELECT org_id AS "orgId", coalesce(entries, 0)::float8 AS entries, hash
  FROM members.audit_chains FULL JOIN (SELECT DISTINCT org_id FROM members.audit_entries) AS having_entries USING (org_id)
  WHERE $1::uuid IS NULL OR org_id = $1 ORDER BY org_id`;

const ENTRIES = `
  SELECT ${ENTRY_COLUMNS}, hash FROM members.audit_entries WHERE org_id = $1 AND ($2::bigint IS NULL OR seq > $2) ORDER BY seq LIMIT ${PAGE}`;

interface Chain {
  orgId: string;
  entries: number;
  hash: Buffer | null;
}

type SealedEntry = AuditEntry & { hash: Buffer };

/**
 * The last entry of a chain and its hash, `17:<hash>`, which the operator stored outside of the database to detect that later entries were deleted.
 */
interface NotedHead {
  seq: number;
  hash: string;
}

export interface VerifiedChain {
  orgId: string;
  entries: number;
  /** The last entry and its hash, `17:<hash>`, which the operator should store outside of the database. */
  head: string;
  /** The first problems, in the order of the entries. */
  problems: string[];
}

/**
 * Verifies the hash chains of the audit log of all organizations, or of one organization, in one snapshot. An organization that `orgId` selects is
 * reported even if it has no rows, because an entirely deleted chain is also a problem.
 */
export async function verifyChains(pool: Pool, orgId?: string, noted?: NotedHead): Promise<VerifiedChain[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await client.query<Chain>(CHAINS, [orgId ?? null]);
    const chains = orgId !== undefined && rows.length === 0 ? [{ orgId, entries: 0, hash: null }] : rows;
    const verified: VerifiedChain[] = [];
    for (const chain of chains) verified.push(await verifyChain(client, chain, noted));
    return verified;
  } finally {
    await client.query('ROLLBACK').finally(() => client.release());
  }
}

/** Parses a head as `verifyChains` returns it. Throws VALIDATION_ERROR for any other text, because the head would then not be checked. */
export function toNotedHead(text: string | undefined): NotedHead | undefined {
  if (text === undefined) return undefined;
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (!seq || !hash)
    throw invalid({ head: `must be a number, a colon and a hash of 64 hex digits, as printed (got ${text})` });
  return { seq: Number(seq), hash };
}

async function verifyChain(client: PoolClient, chain: Chain, noted?: NotedHead): Promise<VerifiedChain> {
  const problems: string[] = [];
  let last = { seq: 0, hash: FIRST_SEAL as Buffer };
  let isNotedFound = noted === undefined || (noted.seq === 0 && noted.hash === FIRST_SEAL.toString('hex'));
  // Starts without a number, because the API also lists entries below 1, which an attacker could insert.
  for (let page = await pageAfter(client, chain.orgId, null); page.end !== undefined;) {
    for (const { hash, ...entry } of page.entries) {
      if (problems.length < MAX_PROBLEMS) problems.push(...problemsOf(entry, hash, last));
      last = { seq: entry.seq, hash };
      if (noted?.seq === entry.seq) isNotedFound = noted.hash === hash.toString('hex');
    }
    page = await pageAfter(client, chain.orgId, page.end);
  }
  if (last.seq === 0 && chain.hash === null) problems.push('the organization has neither entries nor a chain head');
  if (last.seq !== chain.entries)
    problems.push(`the last entry is ${last.seq}, but the chain head counts ${chain.entries}`);
  else if (!last.hash.equals(chain.hash ?? FIRST_SEAL))
    problems.push('the hash of the last entry differs from the chain head');
  if (!isNotedFound) problems.push(`the hash of entry ${noted!.seq} differs from the noted hash`);
  const head = `${last.seq}:${last.hash.toString('hex')}`;
  return { orgId: chain.orgId, entries: last.seq, head, problems: problems.slice(0, MAX_PROBLEMS) };
}

function problemsOf(entry: AuditEntry, hash: Buffer, last: { seq: number; hash: Buffer }): string[] {
  const place = `entry ${entry.seq} (${entry.id})`;
  if (entry.seq !== last.seq + 1) return [`${place} follows ${last.seq}: what was between is missing`];
  return sealOf(last.hash, entry).equals(hash) ? [] : [`${place} is not as it was written`];
}

interface Page {
  entries: SealedEntry[];
  /** The number of the last entry as text, because an attacker could insert one that a number does not represent exactly. */
  end: string | undefined;
}

async function pageAfter(client: PoolClient, orgId: string, seq: string | null): Promise<Page> {
  const { rows } = await client.query<Omit<SealedEntry, 'seq'> & { seq: string }>(ENTRIES, [orgId, seq]);
  return { entries: rows.map((row) => ({ ...row, seq: Number(row.seq) })), end: rows.at(-1)?.seq };
}
