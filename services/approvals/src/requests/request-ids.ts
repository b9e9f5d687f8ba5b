import { isId, notFound } from '@drawbridge/contracts';

const PREFIX = 'apr_';

/** As it is shown. */
export function toApprovalId(id: string): string {
  return PREFIX + id;
}

/** As it is stored. Throws NOT_FOUND for what is none. */
export function fromApprovalId(shown: string): string {
  const id = shown.slice(PREFIX.length);
  if (shown.startsWith(PREFIX) && isId(id)) return id.toLowerCase();
  throw notFound('Approval', shown);
}
