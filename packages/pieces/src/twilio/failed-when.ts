import { member, textAt, type JsonValue, type StatedFailure } from '@drawbridge/piece-kit';

const ACCOUNT_SID = /AC[0-9a-f]{32}/gi;

/** Removes the Account SID, which is half of the credential, from messages: Twilio quotes the path of a resource that does not exist. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const message = textAt(body, 'message');
  // Only error responses have a link to a page about the error.
  if (!message || member(body, 'more_info') === undefined) return undefined;
  return { message: message.replace(ACCOUNT_SID, 'AC…') };
}
