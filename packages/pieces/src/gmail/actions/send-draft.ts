import { action, expandPath, InputError, listAt, textAt, type JsonValue } from '@drawbridge/piece-kit';
import { allAddresses } from '../addresses.js';
import { draftId, to } from '../properties.js';
import { MAILBOX } from '../requests.js';

/** Sends a draft, if its recipients are those in the input: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.drafts/send */
export const sendDraft = action({
  displayName: 'Send draft',
  description:
    'Sends a draft. "to" lists all its recipients: a draft that names another address in To, Cc or Bcc is not sent. Returns the sent message.',
  category: 'send',
  // The input repeats the recipients of the draft, because policies evaluate recipients before the draft is read.
  recipients: ['to'],
  props: { draftId, to },
  run: async ({ http, input }) => {
    const path = expandPath(`${MAILBOX}/drafts/{draftId}`, input);
    const draft = await http.json({ method: 'GET', path, query: { format: 'metadata' } });
    requireOnly(input.to, recipientHeaders(draft));
    return http.json({ method: 'POST', path: `${MAILBOX}/drafts/send`, json: { id: input.draftId } });
  },
});

function recipientHeaders(draft: JsonValue): string[] {
  const headers = listAt(draft, 'message', 'payload', 'headers');
  const isRecipient = (header: JsonValue) => /^(to|cc|bcc)$/i.test(textAt(header, 'name') ?? '');
  return headers.filter(isRecipient).map((header) => textAt(header, 'value') ?? '');
}

function requireOnly(expected: readonly string[], headers: readonly string[]): void {
  const found = allAddresses(headers);
  if (!found) throw new InputError('draftId', 'is a draft with an address that cannot be compared with "to"');
  const known = new Set(expected.map((address) => address.toLowerCase()));
  const others = found.filter((address) => !known.has(address));
  if (others.length > 0)
    throw new InputError('to', `must list all recipients of the draft (missing: ${others.join(', ')})`);
}
