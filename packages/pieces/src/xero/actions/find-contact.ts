import { action, collect, shortText } from '@drawbridge/piece-kit';
import { limit } from '../properties.js';
import { ACCOUNTING, numberedPages, toContact } from '../records.js';

/** A quote or a backslash would change the condition: https://developer.xero.com/documentation/api/accounting/contacts#get-contacts */
const WORDS = { pattern: '^[^"\\\\]+$', maxLength: 200 } as const;

export const findContact = action({
  displayName: 'Find contact',
  description: 'Finds customers and suppliers by a part of their name or by their email address.',
  category: 'read',
  props: {
    name: shortText('Name', { description: 'A part of the name.', ...WORDS }),
    email: shortText('Email', { description: 'The email address.', ...WORDS }),
    limit,
  },
  run: async ({ http, input: { name, email, limit: count = 100 } }) => {
    const conditions = [
      ...(name ? [`Name!=null AND Name.ToLower().Contains("${name.toLowerCase()}")`] : []),
      ...(email ? [`EmailAddress!=null AND EmailAddress.ToLower()=="${email.toLowerCase()}"`] : []),
    ];
    const query = { where: conditions.join(' AND ') || undefined, order: 'Name', page: 1 };
    const request = { method: 'GET', path: `${ACCOUNTING}/Contacts`, query } as const;
    return (await collect(http.pages(request, count, numberedPages('Contacts')))).map(toContact);
  },
});
