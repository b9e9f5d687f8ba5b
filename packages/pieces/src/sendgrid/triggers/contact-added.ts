import { listAt, newSince, textAt, trigger, type JsonValue } from '@drawbridge/piece-kit';

/** Runs when a marketing contact is added: https://www.twilio.com/docs/sendgrid/api-reference/contacts/get-sample-contacts */
export const contactAdded = trigger({
  kind: 'polling',
  displayName: 'Contact added',
  description:
    'Runs when a marketing contact is added. SendGrid lists only the 50 most recent contacts, so larger imports are reported in part.',
  props: {},
  sample: {
    id: '5f1b7c7e-8d0e-4b0c-9f39-3f3f6f0a4b1d',
    email: 'ann@acme.example',
    first_name: 'Ann',
    last_name: 'Miller',
    list_ids: ['ca7d3ae0-4cbb-4b3b-9a3a-0b4f0a5c6d7e'],
    segment_ids: [],
    created_at: '2026-01-31T09:00:00Z',
    updated_at: '2026-01-31T09:00:00Z',
  },
  poll: newSince({
    list: async function* ({ http }) {
      const contacts = listAt(await http.json({ method: 'GET', path: '/v3/marketing/contacts' }), 'result');
      // SendGrid sorts the contacts by email address, but the poll requires the newest first.
      yield* contacts.sort((one, other) => createdAt(other) - createdAt(one));
    },
    time: (contact) => textAt(contact, 'created_at'),
    id: (contact) => textAt(contact, 'id'),
  }),
});

const createdAt = (contact: JsonValue): number => Date.parse(textAt(contact, 'created_at') ?? '') || 0;
