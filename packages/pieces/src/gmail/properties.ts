import { checkbox, dropdown, files, json, longText, multiSelect, shortText } from '@drawbridge/piece-kit';
import { EMAIL, EMAILS, MAX_EMAIL } from '../google.js';
import { drafts, labels, messages, senders } from './options.js';

/** The ids of messages, drafts and threads. */
export const ID = { pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 } as const;

export const messageId = dropdown('Message', {
  required: true,
  description: 'The id of a message.',
  ...ID,
  options: messages,
});

export const draftId = dropdown('Draft', {
  required: true,
  description: 'The id of a draft.',
  ...ID,
  options: drafts,
});

export const threadId = shortText('Thread', {
  required: true,
  description: 'The threadId of a message.',
  ...ID,
});

export const labelIds = multiSelect('Labels', {
  required: true,
  description: 'Ids of labels: ["STARRED", "Label_12"].',
  maxLength: 255,
  options: labels,
});

export const label = { maxLength: 255, options: labels } as const;

export const inLabel = dropdown('Label', { description: 'The id of a label. Defaults to INBOX.', ...label });

export const to = json('To', {
  required: true,
  description: 'Email addresses: ["ann@acme.example"].',
  schema: { ...EMAILS, minItems: 1 },
});

/** Recipients besides those of `to`. */
export const copies = {
  cc: json('Cc', { description: 'Email addresses that get a copy.', schema: EMAILS }),
  bcc: json('Bcc', {
    description: 'Email addresses that get a copy. Other recipients do not see them.',
    schema: EMAILS,
  }),
};

export const draftTo = json('To', { description: 'Email addresses: ["ann@acme.example"].', schema: EMAILS });

export const subject = shortText('Subject', { required: true, maxLength: 2_000, pattern: '^[^\\r\\n]*$' });

const MAX_BODY = 1_000_000;

export const content = {
  text: longText('Text', { required: true, description: 'The email as plain text.', maxLength: MAX_BODY }),
  html: longText('HTML', {
    description: 'The email as HTML. Readers that show HTML show it instead of the text.',
    maxLength: MAX_BODY,
  }),
  attachments: files('Attachments', {
    description: 'Files: [{"filename": "a.txt", "mimeType": "text/plain", "base64": "aGk="}].',
    maxItems: 50,
  }),
  from: dropdown('From', {
    description: 'One of the addresses of the account. Defaults to its default address.',
    pattern: EMAIL,
    maxLength: MAX_EMAIL,
    options: senders,
  }),
  fromName: shortText('Sender name', {
    description: 'The name beside the address. Requires "from".',
    maxLength: 200,
    pattern: '^[^\\r\\n]*$',
  }),
};

export const includeSpamTrash = checkbox('Include spam and trash');
