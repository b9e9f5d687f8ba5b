import { trigger } from '@drawbridge/piece-kit';
import { created, ofApp } from './records-of-app.js';

export const contactCreated = trigger({
  kind: 'app-webhook',
  displayName: 'Contact created',
  description: 'Runs when a customer or supplier is created, with its id.',
  props: {},
  sample: {
    id: '717f2bfc-c6d4-41fd-b238-3f2f0c0cf777',
    url: 'https://api.xero.com/api.xro/2.0/Contacts/717f2bfc-c6d4-41fd-b238-3f2f0c0cf777',
    at: '2026-01-31T09:00:00.000Z',
  },
  ...ofApp,
  events: created('CONTACT'),
});
