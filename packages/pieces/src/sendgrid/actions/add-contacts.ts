import { action, json, multiSelect } from '@drawbridge/piece-kit';
import { lists } from '../options.js';
import { EMAIL } from '../properties.js';

const text = (maxLength: number) => ({ type: 'string', maxLength }) as const;

/**
 * Adds marketing contacts, or updates those with the same email address:
 * https://www.twilio.com/docs/sendgrid/api-reference/contacts/add-or-update-a-contact
 */
export const addContacts = action({
  displayName: 'Add contacts',
  description:
    'Adds marketing contacts, or updates those with the same email address. SendGrid does this later: returns a "job_id" for "Get import".',
  category: 'write',
  idempotent: true,
  props: {
    contacts: json('Contacts', {
      required: true,
      description:
        'Such as [{"email": "ann@acme.example", "first_name": "Ann"}]. Also last_name, address_line_1, address_line_2, city, ' +
        'state_province_region, postal_code, country, alternate_emails, and custom_fields by id.',
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            email: { type: 'string', ...EMAIL },
            first_name: text(50),
            last_name: text(50),
            address_line_1: text(100),
            address_line_2: text(100),
            city: text(60),
            state_province_region: text(50),
            postal_code: text(60),
            country: text(50),
            alternate_emails: { type: 'array', items: { type: 'string', ...EMAIL }, maxItems: 5 },
            custom_fields: { type: 'object' },
          },
          required: ['email'],
          additionalProperties: false,
        },
        minItems: 1,
        maxItems: 30_000,
      },
    }),
    list_ids: multiSelect('Lists', { description: 'Ids of the lists to add the contacts to.', options: lists }),
  },
  call: { method: 'PUT', path: '/v3/marketing/contacts', body: ['list_ids', 'contacts'] },
});
