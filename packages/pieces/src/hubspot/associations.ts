/**
 * The ids of association types, by object and by input:
 * https://developers.hubspot.com/docs/api-reference/crm-associations-v4/guide#association-type-id-values
 */
const TYPES = {
  deals: { contact_ids: 3, company_ids: 341 },
  notes: { contact_ids: 202, company_ids: 190, deal_ids: 214, ticket_ids: 228 },
  tasks: { contact_ids: 204, company_ids: 192, deal_ids: 216, ticket_ids: 230 },
} as const;

export type Association = {
  to: { id: string };
  types: { associationCategory: string; associationTypeId: number }[];
};

type Ids = Readonly<Record<string, readonly string[] | undefined>>;

/** Returns the associations of a new record with the records that have these ids. */
export function associationsOf(object: keyof typeof TYPES, ids: Ids): Association[] {
  return Object.entries(TYPES[object]).flatMap(([key, associationTypeId]) =>
    (ids[key] ?? []).map((id) => ({
      to: { id },
      types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
    })),
  );
}
