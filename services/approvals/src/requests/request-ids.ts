import { isId, notFound } from '@drawbridge/contracts';

const PREFIX = 'apr_';

/** Returns the public form of an id. */
export function toApprovalId(id: string): string {
  return PREFIX + id;
}

/** Returns the stored form of a public id. Throws NOT_FOUND for an invalid one. */
export function fromApprovalId(shown: string): string {
  const id = shown.slice(PREFIX.length);
  if (shown.startsWith(PREFIX) && isId(id)) return id.toLowerCase();
  throw notFound('Approval', shown);
}
