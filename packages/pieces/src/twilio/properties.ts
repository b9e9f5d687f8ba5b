import { dateTime, dropdown, json, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { numbers, verifyServices } from './options.js';

/** The format of phone numbers is E.164: https://www.twilio.com/docs/glossary/what-e164 */
export const E164 = { pattern: '^\\+[1-9][0-9]{1,14}$', maxLength: 16 } as const;
const PHONE = 'With country code: +4915112345678.';

export const to = shortText('To', { required: true, description: PHONE, ...E164 });

/** A sender of messages. A messaging service selects one of its senders. */
export const sender = dropdown('From', {
  required: true,
  description: 'A number or sender of the account, or the SID of a messaging service (MG…).',
  minLength: 1,
  maxLength: 64,
  options: numbers('sms'),
});

export const isMessagingService = (from: string): boolean => /^MG[0-9a-f]{32}$/i.test(from);

export const mediaUrls = json('Media', {
  description: 'Public URLs, at most 10: ["https://acme.example/a.jpg"].',
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
  description: 'SID of a Verify service (VA…).',
  pattern: '^VA[0-9a-fA-F]{32}$',
  options: verifyServices,
});

/** A recipient for Twilio Verify, which also accepts an email address. */
export const verified = shortText('To', {
  required: true,
  description: 'Phone number with country code, or an email address.',
  pattern: '^(\\+[1-9][0-9]{1,14}|[^\\s@]+@[^\\s@]+)$',
  maxLength: 254,
});

export const filters = {
  to: shortText('To', { description: 'Only those to this phone number.', maxLength: 64 }),
  from: shortText('From', { description: 'Only those from this phone number.', maxLength: 64 }),
  after: dateTime('After', { description: 'From this time.' }),
  before: dateTime('Before', { description: 'Until this time.' }),
};

export const limit = itemLimit({ defaultsTo: 50, maximum: 1_000 });

export const DEFAULT_LIMIT = 50;

/** Returns the time in UTC with whole seconds, as Twilio's client sends it. */
export const toTime = (time: string | undefined): string | undefined =>
  time && new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
