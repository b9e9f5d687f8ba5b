import {
  listAt,
  listOptions,
  textAt,
  type Http,
  type JsonValue,
  type LoadOptions,
  type SelectOption,
} from '@drawbridge/piece-kit';
import { attachmentsOf, headersOf } from './message.js';
import { MAILBOX, messageRequest, readListed } from './requests.js';

/** Maximum number of messages in a form, because each needs a separate request. */
const SHOWN = 15;

/** Returns the paging of a list that has no pages. */
const whole = (key: string) => ({ items: (body: JsonValue) => listAt(body, key), next: () => undefined });

export const labels: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: `${MAILBOX}/labels` }, { paging: whole('labels'), limit: 1_000 });

/** Lists the addresses from which the user can send. */
export const senders: LoadOptions = ({ http }) => {
  const label = (item: JsonValue) => textAt(item, 'sendAsEmail');
  const request = { method: 'GET', path: `${MAILBOX}/settings/sendAs` };
  return listOptions(http, request, { label, value: 'sendAsEmail', paging: whole('sendAs') });
};

/** Lists the newest messages, or the messages that Gmail finds for the search. */
export const messages: LoadOptions = async ({ http, search: q }) => {
  const body = await http.json({ method: 'GET', path: `${MAILBOX}/messages`, query: { q, maxResults: SHOWN } });
  const ids = listAt(body, 'messages').flatMap((item) => textAt(item, 'id') ?? []);
  return toOptions(
    http,
    ids.map((id) => ({ value: id, message: id })),
  );
};

export const drafts: LoadOptions = async ({ http, search: q }) => {
  const body = await http.json({ method: 'GET', path: `${MAILBOX}/drafts`, query: { q, maxResults: SHOWN } });
  const found = listAt(body, 'drafts').map((item) => ({
    value: textAt(item, 'id') ?? '',
    message: textAt(item, 'message', 'id') ?? '',
  }));
  return toOptions(http, found);
};

/** Reads the subject and the sender or recipient of each message. */
async function toOptions(http: Http, found: { value: string; message: string }[]): Promise<SelectOption[]> {
  const options: SelectOption[] = [];
  for (const { value, message: id } of found) {
    const message = await readListed(http, id, 'metadata');
    if (message === undefined) continue;
    const headers = headersOf(message);
    const label = [headers.get('subject') || '(no subject)', headers.get('from'), headers.get('to')];
    options.push({ label: label.filter(Boolean).join(' · '), value });
  }
  return options;
}

/** Lists the attachments of the message that the form has selected. */
export const attachments: LoadOptions = async ({ http, input: { messageId } }) => {
  if (typeof messageId !== 'string' || messageId === '') return { options: [], disabled: true };
  const message = await http.json(messageRequest(messageId, 'full'));
  return attachmentsOf(message).map(({ id, filename }) => ({ label: filename, value: id }));
};
