import { type Props } from '@drawbridge/piece-kit';
import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { KEPT, type WorkspaceScope } from '../configured-instances.js';
import { type PartialInput } from './merge-input.js';
import { type Operation, type PartialHead, pickPartials } from './pick-partials.js';

const FIND = `
  SELECT id, values::text AS "valuesJson", enforced_keys AS "enforcedKeys"
  FROM catalog.input_partials WHERE org_id = $1 AND id = ANY ($2)`;

/** How a call selects its partials. */
export interface PartialSelector extends Pick<WorkspaceScope, 'orgId'> {
  /** The partials of its configured integration, oldest first. */
  heads: readonly PartialHead[];
  operation: Operation;
  /** Absent: the default ones. */
  partialIds?: readonly string[];
}

export interface AppliedPartial extends PartialInput {
  head: PartialHead;
}

/** Returns the partials that apply, in their order. Throws VALIDATION_ERROR for a named partial that is not for this call. */
export type AppliedPartials = (selector: PartialSelector) => Promise<AppliedPartial[]>;

/** Reads values at most once a second, and only if a partial applies. */
export function appliedPartials(pool: Pool): AppliedPartials {
  // updatedAt is part of the key, so a changed partial is read again.
  const known = memoize(KEPT, (_key, orgId: string, ids: string[]) => find(pool, orgId, ids));
  return async ({ orgId, heads, operation, partialIds }) => {
    const wanted = pickPartials(heads, operation, partialIds);
    if (wanted.length === 0) return [];
    const key = [orgId, ...wanted.map(({ id, updatedAt }) => id + updatedAt)].join(' ');
    const ids = wanted.map(({ id }) => id);
    const rows = new Map((await known(key, orgId, ids)).map((row) => [row.id, row]));
    // A named partial that was deleted meanwhile is reported as unknown.
    const there = heads.filter(({ id }) => rows.has(id));
    return pickPartials(there, operation, partialIds).map((head) => toApplied(head, rows.get(head.id)!));
  };
}

/** The cache holds text, whose size in memory is known. */
interface Row {
  id: string;
  valuesJson: string;
  enforcedKeys: string[];
}

async function find(pool: Pool, orgId: string, ids: string[]): Promise<Row[]> {
  return (await pool.query<Row>({ name: 'applied-partials', text: FIND, values: [orgId, ids] })).rows;
}

function toApplied(head: PartialHead, { valuesJson, enforcedKeys }: Row): AppliedPartial {
  return { head, values: JSON.parse(valuesJson), enforcedKeys };
}

/** Limits a partial to the keys that an operation with these properties takes. */
export function within(props: Props, { values, enforcedKeys }: PartialInput): PartialInput {
  const taken = Object.entries(values).filter(([key]) => Object.hasOwn(props, key));
  return { values: Object.fromEntries(taken), enforcedKeys };
}
