import { requireInTime } from '@drawbridge/rpc';

type Json = Record<string, unknown>;

interface RawOperation {
  args: unknown;
  query(args: unknown): Promise<unknown>;
}

interface Operation extends RawOperation {
  model: string;
  operation: string;
}

const READING = /^(find|count|aggregate|groupBy)/;

/**
 * A Prisma client extension: refuses any query on a tenant's model that does not name `orgId`, and any write of a call whose deadline has
 * passed.
 */
export function tenancy(shared: readonly string[]) {
  return {
    name: 'tenancy',
    query: {
      $executeRaw({ args, query }: RawOperation): Promise<unknown> {
        requireInTime();
        return query(args);
      },
      $allModels: {
        $allOperations({ model, operation, args, query }: Operation): Promise<unknown> {
          if (!shared.includes(model)) requireOrgId(model, operation, (args ?? {}) as Json);
          if (!READING.test(operation)) requireInTime();
          return query(args);
        },
      },
    },
  };
}

export function requireOrgId(model: string, operation: string, args: Json): void {
  const places = operation.startsWith('create') ? [args['data']].flat() : [args['where']];
  if (places.length > 0 && places.every(namesOrgId)) return;
  throw new Error(`${model}.${operation} does not name orgId`);
}

/** `{orgId: …}`, or a compound key that holds it: `{orgId_slug: {orgId: …, slug: …}}`. */
function namesOrgId(place: unknown): boolean {
  if (typeof place !== 'object' || place === null) return false;
  const json = place as Json;
  if (typeof json['orgId'] === 'string') return true;
  return Object.entries(json).some(
    ([key, inner]) => key !== 'NOT' && typeof (inner as Json | null)?.['orgId'] === 'string',
  );
}
