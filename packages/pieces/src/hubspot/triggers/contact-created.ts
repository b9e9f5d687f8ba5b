import { textAt, trigger } from '@drawbridge/piece-kit';
import { appEvents } from './app-events.js';

/** The app must subscribe to contact.creation. */
export const contactCreated = trigger({
  kind: 'app-webhook',
  displayName: 'Contact created',
  description: 'Runs when a contact is created, with its id. "Get record" reads it.',
  props: {},
  sample: { objectId: '33451', occurredAt: '2026-01-31T09:00:00.000Z', changeSource: 'CRM_UI' },
  ...appEvents((event) => textAt(event, 'subscriptionType') === 'contact.creation'),
});
