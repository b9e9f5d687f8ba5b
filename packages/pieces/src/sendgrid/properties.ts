import { dropdown, json, shortText } from '@drawbridge/piece-kit';
import { groups } from './options.js';

export const EMAIL = { pattern: '^[^\\s@<>,;]+@[^\\s@<>,;]+$', maxLength: 254 } as const;

/** A list of email addresses. */
export const ADDRESSES = {
  type: 'array',
  items: { type: 'string', ...EMAIL },
  minItems: 1,
  maxItems: 1_000,
} as const;

export const GROUP_ID = { pattern: '^[0-9]+$', maxLength: 20 } as const;

export const suppressionGroup = dropdown('Unsubscribe group', {
  description: 'Number of an unsubscribe group. Defaults to the global suppression.',
  options: groups,
  ...GROUP_ID,
});

export const emails = json('Email addresses', {
  required: true,
  description: 'Such as ["ann@acme.example"].',
  schema: ADDRESSES,
});

export const email = shortText('Email address', { required: true, ...EMAIL });
