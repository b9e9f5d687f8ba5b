import { action, shortText } from '@drawbridge/piece-kit';

/** Finds marketing contacts by a query: https://www.twilio.com/docs/sendgrid/api-reference/contacts/search-contacts */
export const searchContacts = action({
  displayName: 'Search contacts',
  description: 'Finds marketing contacts by a query. Returns the first 50 that match.',
  category: 'read',
  props: {
    query: shortText('Query', {
      required: true,
      description:
        "SendGrid query, with emails in lower case: email LIKE '%@acme.example', " +
        "or first_name = 'Ann' AND CONTAINS(list_ids, '<list id>').",
      minLength: 1,
      maxLength: 4_000,
    }),
  },
  call: { method: 'POST', path: '/v3/marketing/contacts/search', body: ['query'], result: 'result' },
});
