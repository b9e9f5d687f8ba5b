import { dateTime, dropdown, json, number, shortText } from '@drawbridge/piece-kit';
import { numbers, verifyServices } from './options.js';

/** https://www.twilio.com/docs/glossary/what-e164 */
export const E164 = { pattern: '^\\+[1-9][0-9]{1,14}$', maxLength: 16 } as const;
const PHONE = 'Phone number with its country code: +4915112345678.';

export const to = shortText('To', { required: true, description: PHONE, ...E164 });

/** A sender of messages. A messaging service selects one of its senders. */
export const sender = dropdown('From', {
  required: true,
  description: 'A number of the account, another sender that it owns, or the SID of a messaging service (MG…).',
  minLength: 1,
  maxLength: 64,
  options: numbers('sms'),
});

export const isMessagingService = (from: string): boolean => /^MG[0-9a-f]{32}$/i.test(from);

export const mediaUrls = json('Media', {
  description: 'Public URLs of up to 10 files: ["https://acme.example/a.jpg"].',
  schema: {
    type: 'array',
    items: { type: 'string', pattern: '^https?://', maxLength: 2_000 },
    minItems: 1,
    maxItems: 10,
  },
});

export const MAX_BODY = 1_600;

export const service = dropdown('Verify service', {
  required: true,
  description: 'The SID of a Verify service (VA…).',
  pattern: '^VA[0-9a-fA-F]{32}$',
  options: verifyServices,
});

/** Twilio Verify also accepts an email address. */
export const verified = shortText('To', {
  required: true,
  description: 'Phone number with its country code, or the email address for the channel email.',
  pattern: '^(\\+[1-9][0-9]{1,14}|[^\\s@]+@[^\\s@]+)$',
  maxLength: 254,
});

export const filters = {
  to: shortText('To', { description: 'Only those to this phone number.', maxLength: 64 }),
  from: shortText('From', { description: 'Only those from this phone number.', maxLength: 64 }),
  after: dateTime('After', { description: 'Only those of this time or later.' }),
  before: dateTime('Before', { description: 'Only those of this time or earlier.' }),
};

export const limit = number('Limit', {
  description: 'Maximum number of items. Defaults to 50.',
  integer: true,
  minimum: 1,
  maximum: 1_000,
});

export const DEFAULT_LIMIT = 50;

/** Returns the time in UTC and in whole seconds, as Twilio's own client sends it. */
export const toTime = (time: string | undefined): string | undefined =>
  time && new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
