import { dropdown, json, longText, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { admins } from './options.js';

const ID = '^[0-9]{1,30}$';

export const conversation = shortText('Conversation', {
  required: true,
  description: 'The number in its URL.',
  pattern: ID,
});

export const contact = shortText('Contact', {
  required: true,
  description: 'The id, such as 6762f1261bb6.',
  pattern: '^[0-9a-f]{24}$',
});

export const admin = dropdown('Teammate', {
  required: true,
  description: 'The teammate who acts.',
  pattern: ID,
  options: admins,
});

export const text = longText('Text', {
  required: true,
  description: 'The text. HTML is formatted.',
  minLength: 1,
  maxLength: 50_000,
});

const TEXT = { maxLength: 255 } as const;

/** The fields of a contact in addition to its role. */
export const contactFields = {
  email: shortText('Email', { ...TEXT, description: 'The email address.', pattern: '^[^\\s@]+@[^\\s@]+$' }),
  external_id: shortText('External id', { ...TEXT, description: 'The id in your system.' }),
  phone: shortText('Phone', { ...TEXT, description: 'With the country code: +49301234567.' }),
  name: shortText('Name', { ...TEXT, description: 'The name of the person.' }),
  owner_id: dropdown('Owner', { description: 'The teammate who owns it.', pattern: ID, options: admins }),
  custom_attributes: json('Custom attributes', {
    description: 'Existing attributes by name: {"plan": "pro"}.',
    schema: { type: 'object' },
  }),
};

export const limit = itemLimit({ defaultsTo: 20, maximum: 500 });
