/** Ids that stay the same when an item is moved: https://learn.microsoft.com/graph/outlook-immutable-id */
export const IMMUTABLE_IDS = 'IdType="ImmutableId"';

/** Returns the headers of a request with one more preference (RFC 7240). They replace the header of the piece. */
export function preferring(name: 'outlook.timezone' | 'outlook.body-content-type', value: string | undefined) {
  return value === undefined ? undefined : { prefer: `${IMMUTABLE_IDS}, ${name}="${value}"` };
}
