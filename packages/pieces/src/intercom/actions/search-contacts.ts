import {
  action,
  collect,
  type HttpRequest,
  type JsonObject,
  listAt,
  type Paging,
  shortText,
  staticDropdown,
  textAt,
} from '@drawbridge/piece-kit';
import { limit } from '../properties.js';
import { toContact } from '../records.js';

const PAGE = 100;

/**
 * Finds contacts by email address, name, external id, phone or role:
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/contacts/searchcontacts
 */
export const searchContacts = action({
  displayName: 'Search contacts',
  description: 'Finds contacts by email address, name, external id, phone or role. All conditions must hold.',
  category: 'read',
  props: {
    email: shortText('Email', { description: 'The email address.', maxLength: 255 }),
    name: shortText('Name', { description: 'A part of the name.', maxLength: 255 }),
    external_id: shortText('External id', { description: 'The id in your own system.', maxLength: 255 }),
    phone: shortText('Phone', { description: 'The phone number.', maxLength: 255 }),
    role: staticDropdown('Role', ['user', 'lead'], { description: 'Only contacts with this role.' }),
    limit,
  },
  run: async ({ http, input: { limit: count = 20, ...wanted } }) => {
    const conditions = Object.entries(wanted).map(([field, value]) => ({
      ...{ field, operator: field === 'name' ? '~' : '=', value: String(value) },
    }));
    // Intercom rejects a search without a condition, so the default condition matches all contacts.
    const value = conditions.length > 0 ? conditions : [{ field: 'created_at', operator: '>', value: '0' }];
    const json = { query: { operator: 'AND', value }, pagination: { per_page: Math.min(count, PAGE) } };
    return (await collect(http.pages({ method: 'POST', path: '/contacts/search', json }, count, pages))).map(toContact);
  },
});

/** The token of the next page is in an object of the body. */
const pages: Paging = {
  items: (body) => listAt(body, 'data'),
  next: ({ request, body }): HttpRequest | undefined => {
    const starting_after = textAt(body, 'pages', 'next', 'starting_after');
    const json = request.json as JsonObject;
    return starting_after
      ? { ...request, json: { ...json, pagination: { ...(json['pagination'] as JsonObject), starting_after } } }
      : undefined;
  },
};
