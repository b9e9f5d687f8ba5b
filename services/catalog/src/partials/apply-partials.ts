import { invalid } from '@drawbridge/contracts';
import { type JsonObject, type JsonSchema, type Props } from '@drawbridge/piece-kit';
import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { KEPT, type WorkspaceScope } from '../configured-instances.js';

/** Maximum number of partials that a call can request, because one message contains their values and the caller's input. */
export const MAX_NAMED = 10;

/** The fields of an input partial that a call needs before it reads the values. */
export interface PartialHead {
  id: string;
  name: string;
  actionName: string | null;
  triggerName: string | null;
  isDefault: boolean;
  /** Changes with every update, so cache keys contain it. */
  updatedAt: string;
}

/** The action or trigger of a call or a partial. A partial without either applies to the whole integration. */
export interface Operation {
  actionName?: string | null;
  triggerName?: string | null;
}

/**
 * Returns the partials that apply to a call, in order: the requested partials, otherwise the default partials of its configured integration, oldest
 * first. `heads` contains the partials of the configured integration, oldest first. Throws VALIDATION_ERROR for each id that is unknown or belongs to
 * another action.
 */
export function pickPartials(
  heads: readonly PartialHead[],
  operation: Operation,
  partialIds?: readonly string[],
): PartialHead[] {
  if (!partialIds) return heads.filter((head) => head.isDefault && isFor(head, operation));
  if (partialIds.length > MAX_NAMED) throw invalid({ partialIds: `must have at most ${MAX_NAMED} ids` });
  const named = partialIds.map((id) => heads.find((head) => head.id === id.toLowerCase()));
  const problems = named.flatMap((head, index) => {
    const problem = head ? otherOperation(head, operation) : `no such partial of this integration in this workspace`;
    return problem === undefined ? [] : [[`partialIds[${index}]`, problem] as const];
  });
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
  return named.filter((head) => head !== undefined);
}

export function isFor(
  head: Pick<PartialHead, 'actionName' | 'triggerName'>,
  { actionName, triggerName }: Operation,
): boolean {
  if (head.actionName === null && head.triggerName === null) return true;
  return head.actionName === (actionName ?? null) && head.triggerName === (triggerName ?? null);
}

function otherOperation(head: PartialHead, operation: Operation): string | undefined {
  return isFor(head, operation) ? undefined : `applies only to ${head.actionName ?? head.triggerName}`;
}

const FIND = `
  SELECT id, values::text AS "valuesJson", enforced_keys AS "enforcedKeys"
  FROM catalog.input_partials WHERE org_id = $1 AND id = ANY ($2)`;

/** How a call selects its partials. */
export interface PartialSelector extends Pick<WorkspaceScope, 'orgId'> {
  /** The partials of the selected configured integration, oldest first. */
  heads: readonly PartialHead[];
  operation: Operation;
  /** Absent if the default partials are used. */
  partialIds?: readonly string[];
}

export interface AppliedPartial extends PartialInput {
  head: PartialHead;
}

/** Returns the partials that apply to a call, in order. Throws VALIDATION_ERROR for a requested partial that does not apply to the call. */
export type AppliedPartials = (selector: PartialSelector) => Promise<AppliedPartial[]>;

/** Creates a function that reads the values of partials at most once a second, and only if a partial applies. */
export function appliedPartials(pool: Pool): AppliedPartials {
  // The cache key contains updatedAt, so that a changed partial is read again immediately.
  const known = memoize(KEPT, (_key, orgId: string, ids: string[]) => find(pool, orgId, ids));
  return async ({ orgId, heads, operation, partialIds }) => {
    const wanted = pickPartials(heads, operation, partialIds);
    if (wanted.length === 0) return [];
    const key = [orgId, ...wanted.map(({ id, updatedAt }) => id + updatedAt)].join(' ');
    const ids = wanted.map(({ id }) => id);
    const rows = new Map((await known(key, orgId, ids)).map((row) => [row.id, row]));
    // A requested partial that was deleted after the selection is reported as unknown.
    const there = heads.filter(({ id }) => rows.has(id));
    return pickPartials(there, operation, partialIds).map((head) => toApplied(head, rows.get(head.id)!));
  };
}

/** A row of `FIND`. The cache stores the values as JSON text, because its size limit needs to know their size in memory. */
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

/** Limits a partial to the keys that an operation with these properties accepts. */
export function within(props: Props, { values, enforcedKeys }: PartialInput): PartialInput {
  const taken = Object.entries(values).filter(([key]) => Object.hasOwn(props, key));
  return { values: Object.fromEntries(taken), enforcedKeys };
}

/** The part of an input that a partial sets. */
export interface PartialInput {
  values: JsonObject;
  /** The keys of `values` that the caller cannot override. */
  enforcedKeys: readonly string[];
}

/**
 * Returns the merged input of a call. Merges top-level keys only. A later partial overrides an earlier partial, the caller overrides all partials,
 * and an enforced value overrides everything. If two partials enforce a value, the later one applies. An absent key has no effect. If a partial
 * contains a key and the result is null, the key is removed: a caller can remove a default with null, a partial can remove an earlier value, and an
 * enforced null removes the key from the input. If no partial contains the key, null is a normal value. Settings of the configured integration are
 * not part of the input.
 */
export function mergeInput(partials: readonly PartialInput[], input: JsonObject): JsonObject {
  const values = partials.map((partial) => partial.values);
  const named = new Set(values.flatMap((one) => Object.keys(one)));
  const merged = new Map([...values, input, ...partials.map(enforced)].flatMap((layer) => Object.entries(layer)));
  return Object.fromEntries([...merged].filter(([key, value]) => value !== null || !named.has(key)));
}

function enforced({ values, enforcedKeys }: PartialInput): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => enforcedKeys.includes(key)));
}

/**
 * Returns the schema of the fields that a user or an agent still has to fill in with these partials. It omits enforced keys. Keys for which the
 * partials have a value are optional.
 */
export function formSchema(schema: JsonSchema, partials: readonly PartialInput[]): JsonSchema {
  const enforced = new Set(partials.flatMap(({ enforcedKeys }) => enforcedKeys));
  const defaults = mergeInput(partials, {});
  const { properties = {}, required = [] } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !enforced.has(key))),
    required: required.filter((key) => !enforced.has(key) && !Object.hasOwn(defaults, key)),
  };
}
