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
  description: 'Such as ["STARRED", "Label_12"].',
  maxLength: 255,
  options: labels,
});

export const label = { maxLength: 255, options: labels } as const;

export const inLabel = dropdown('Label', { description: 'The id of a label. Defaults to INBOX.', ...label });

export const to = json('To', {
  required: true,
  description: 'Such as ["ann@acme.example"].',
  schema: { ...EMAILS, minItems: 1 },
});

/** Recipients in addition to those in `to`. */
export const copies = {
  cc: json('Cc', { description: 'Email addresses that get a copy.', schema: EMAILS }),
  bcc: json('Bcc', {
    description: 'Hidden copies.',
    schema: EMAILS,
  }),
};

export const draftTo = json('To', { description: 'Such as ["ann@acme.example"].', schema: EMAILS });

export const subject = shortText('Subject', { required: true, maxLength: 2_000, pattern: '^[^\\r\\n]*$' });

const MAX_BODY = 1_000_000;

export const content = {
  text: longText('Text', { required: true, description: 'The email as plain text.', maxLength: MAX_BODY }),
  html: longText('HTML', {
    description: 'Shown instead of the text by readers of HTML.',
    maxLength: MAX_BODY,
  }),
  attachments: files('Attachments', {
    description: 'Such as [{"filename": "a.txt", "mimeType": "text/plain", "base64": "aGk="}].',
    maxItems: 50,
  }),
  from: dropdown('From', {
    description: "An address of the account. Defaults to the account's default.",
    pattern: EMAIL,
    maxLength: MAX_EMAIL,
    options: senders,
  }),
  fromName: shortText('Sender name', {
    description: 'Name beside the address. Requires "from".',
    maxLength: 200,
    pattern: '^[^\\r\\n]*$',
  }),
};

export const includeSpamTrash = checkbox('Include spam and trash');
