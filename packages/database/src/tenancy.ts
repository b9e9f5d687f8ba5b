type Json = Record<string, unknown>;

interface Operation {
  model: string;
  operation: string;
  args: unknown;
  query(args: unknown): Promise<unknown>;
}

/** A Prisma client extension that refuses any query on a tenant's model without `orgId`. */
export function tenancy(shared: readonly string[]) {
  return {
    name: 'tenancy',
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query }: Operation): Promise<unknown> {
          if (!shared.includes(model)) requireOrgId(model, operation, (args ?? {}) as Json);
          return query(args);
        },
      },
    },
  };
}

export function requireOrgId(model: string, operation: string, args: Json): void {
  const places = operation.startsWith('create') ? [args['data']].flat() : [args['where']];
  if (places.length > 0 && places.every(namesOrgId)) return;
  throw new Error(`${model}.${operation} must filter by orgId`);
}

/** Accepts `{orgId: …}`, or a compound key with it: `{orgId_slug: {orgId: …, slug: …}}`. */
function namesOrgId(place: unknown): boolean {
  if (typeof place !== 'object' || place === null) return false;
  const json = place as Json;
  if (typeof json['orgId'] === 'string') return true;
  return Object.entries(json).some(
    ([key, inner]) => key !== 'NOT' && typeof (inner as Json | null)?.['orgId'] === 'string',
  );
}
