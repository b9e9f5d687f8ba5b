import { member, textAt, type JsonValue, type StatedFailure } from '@drawbridge/piece-kit';

const ACCOUNT_SID = /AC[0-9a-f]{32}/gi;

/** Removes the Account SID, half of the credential, from messages: Twilio quotes the path of a resource that it does not find. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const message = textAt(body, 'message');
  // Successful responses do not link a page about an error.
  if (!message || member(body, 'more_info') === undefined) return undefined;
  return { message: message.replace(ACCOUNT_SID, 'AC…') };
}
