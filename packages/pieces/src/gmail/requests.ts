import { expandPath, type Http, type HttpRequest, type JsonValue } from '@drawbridge/piece-kit';
import { ifStatus } from '../if-status.js';

/** The mailbox of the connected user. */
export const MAILBOX = '/gmail/v1/users/me';

/** `full` includes the bodies. `metadata` includes only the headers. */
type Format = 'full' | 'metadata';

export const messageRequest = (id: string, format: Format): HttpRequest => ({
  method: 'GET',
  path: expandPath(`${MAILBOX}/messages/{messageId}`, { messageId: id }),
  query: { format },
});

/** Returns a message, or undefined if it was deleted after its id was listed. */
export async function readListed(http: Http, id: string, format: Format): Promise<JsonValue | undefined> {
  return http.json(messageRequest(id, format)).catch(ifStatus(404, undefined));
}
