import { type Props } from '@drawbridge/piece-kit';
import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { KEPT, type WorkspaceScope } from '../configured-instances.js';
import { type PartialInput } from './merge-input.js';
import { type Operation, type PartialHead, pickPartials } from './pick-partials.js';

const FIND = `
  SELECT id, values::text AS "valuesJson", enforced_keys AS "enforcedKeys"
  FROM catalog.input_partials WHERE org_id = $1 AND id = ANY ($2)`;

/** Which partials a call means. */
export interface PartialSelector extends Pick<WorkspaceScope, 'orgId'> {
  /** Of its instance, oldest first. */
  heads: readonly PartialHead[];
  operation: Operation;
  /** Absent: the default ones. */
  partialIds?: readonly string[];
}

export interface AppliedPartial extends PartialInput {
  head: PartialHead;
}

/** In their order. Throws VALIDATION_ERROR on a partial that is named and is not for this call. */
export type AppliedPartials = (selector: PartialSelector) => Promise<AppliedPartial[]>;

/** Values are read at most once a second, and where none apply not at all. */
export function appliedPartials(pool: Pool): AppliedPartials {
  // A partial that changed is of another key.
  const known = memoize(KEPT, (_key, orgId: string, ids: string[]) => find(pool, orgId, ids));
  return async ({ orgId, heads, operation, partialIds }) => {
    const wanted = pickPartials(heads, operation, partialIds);
    if (wanted.length === 0) return [];
    const key = [orgId, ...wanted.map(({ id, updatedAt }) => id + updatedAt)].join(' ');
    const ids = wanted.map(({ id }) => id);
    const rows = new Map((await known(key, orgId, ids)).map((row) => [row.id, row]));
    // One that went meanwhile is unknown where it was named.
    const there = heads.filter(({ id }) => rows.has(id));
    return pickPartials(there, operation, partialIds).map((head) => toApplied(head, rows.get(head.id)!));
  };
}

/** Kept as text: how much memory that takes is known. */
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

/** Of what a partial says the part that an operation with these properties takes. */
export function within(props: Props, { values, enforcedKeys }: PartialInput): PartialInput {
  const taken = Object.entries(values).filter(([key]) => Object.hasOwn(props, key));
  return { values: Object.fromEntries(taken), enforcedKeys };
}
