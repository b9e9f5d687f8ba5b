import { dropdown, json, longText, multiSelect, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { MAX_ATTACHED } from './message.js';
import { attachments, calendars, folders, timeZones } from './options.js';

/** Ids are base64url. The pattern excludes quotes, so that an id cannot end the quoted string in the resource of a subscription. */
const ID = '^[A-Za-z0-9_=+-]+$';

const ADDRESS = { pattern: '^[^\\s@<>]+@[^\\s@<>]+$', maxLength: 320 };

export const messageId = shortText('Message id', {
  required: true,
  description: 'From a list or search of messages.',
  pattern: ID,
});

const folder = {
  description: 'An id, or inbox, archive, drafts, sentitems or deleteditems.',
  pattern: ID,
  options: folders,
} as const;

export const folderId = {
  target: dropdown('Folder', { ...folder, required: true }),
  inbox: dropdown('Folder', { ...folder, description: `${folder.description} Defaults to the inbox.` }),
  all: dropdown('Folder', { ...folder, description: `${folder.description} Defaults to all folders.` }),
};

export const attachmentId = dropdown('Attachment', {
  required: true,
  description: 'The id of an attachment, as Get message returns it.',
  refreshers: ['messageId'],
  pattern: ID,
  options: attachments,
});

export const addresses = {
  to: multiSelect('To', { ...ADDRESS, required: true, description: 'Such as ["ann@acme.example"].' }),
  draft: multiSelect('To', { ...ADDRESS, description: 'Such as ["ann@acme.example"].' }),
  cc: multiSelect('Cc', { ...ADDRESS, description: 'Email addresses that get a copy.' }),
  bcc: multiSelect('Bcc', { ...ADDRESS, description: 'Hidden copies.' }),
  added: multiSelect('Add recipients', { ...ADDRESS, description: 'Email addresses that get the reply as well.' }),
  required: multiSelect('Attendees', { ...ADDRESS, description: 'Email addresses to invite: ["ann@acme.example"].' }),
  optional: multiSelect('Optional attendees', { ...ADDRESS, description: 'Email addresses to invite as optional.' }),
  people: multiSelect('People', {
    ...ADDRESS,
    required: true,
    description: 'At most 20 email addresses of people, groups or rooms. Add your own for your calendar.',
  }),
};

export const comment = longText('Comment', { description: 'Text above the original message.', maxLength: 1_000_000 });

export const messageFields = {
  subject: shortText('Subject', { required: true, maxLength: 255 }),
  body: longText('Body', { required: true, description: 'The text of the message.', maxLength: 1_000_000 }),
  bodyType: staticDropdown('Body type', ['text', 'html'], { description: 'Defaults to text.' }),
  cc: addresses.cc,
  bcc: addresses.bcc,
  importance: staticDropdown('Importance', ['low', 'normal', 'high'], { description: 'Defaults to normal.' }),
  attachments: json('Attachments', {
    description: 'Such as [{"filename": "a.txt", "mimeType": "text/plain", "base64": "aGk="}]. Together at most 3 MB.',
    schema: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        properties: {
          filename: { type: 'string', minLength: 1, maxLength: 255 },
          mimeType: { type: 'string', pattern: '^[\\w.+-]+/[\\w.+-]+$', maxLength: 127 },
          base64: {
            type: 'string',
            contentEncoding: 'base64',
            pattern: '^[A-Za-z0-9+/]*={0,2}$',
            maxLength: MAX_ATTACHED,
          },
        },
        required: ['filename', 'mimeType', 'base64'],
        additionalProperties: false,
      },
    },
  }),
};

export const calendarId = dropdown('Calendar', {
  description: 'Defaults to the primary calendar.',
  pattern: ID,
  options: calendars,
});

export const timeZone = dropdown('Time zone', {
  description: 'Windows or IANA name, such as Europe/Berlin. Defaults to UTC.',
  // The value is sent in a quoted header, so quotes are not allowed.
  pattern: "^[A-Za-z0-9 ()+./:_'-]+$",
  maxLength: 100,
  options: timeZones,
});

export const limit = itemLimit({ defaultsTo: 25, maximum: 500 });
