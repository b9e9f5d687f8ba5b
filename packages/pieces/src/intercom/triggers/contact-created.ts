import { trigger } from '@drawbridge/piece-kit';
import { toContact } from '../records.js';
import { appEvents } from './app-events.js';

/** Runs when a user or lead is created: https://developers.intercom.com/docs/references/webhooks/webhook-models */
export const contactCreated = trigger({
  kind: 'app-webhook',
  displayName: 'Contact created',
  description: 'Runs when a user or lead is created.',
  props: {},
  sample: {
    id: '6762f1261bb69f9f2193bbc1',
    role: 'user',
    email: 'ada@example.com',
    name: 'Ada',
    created_at: 1769850000,
  },
  ...appEvents(['contact.user.created', 'contact.lead.created'], toContact),
});
