import { trigger } from '@drawbridge/piece-kit';
import { created, ofApp } from './records-of-app.js';

export const invoiceCreated = trigger({
  kind: 'app-webhook',
  displayName: 'Invoice created',
  description: 'Runs when an invoice or bill is created, with its id. "Get invoice" reads it.',
  props: {},
  sample: {
    id: '220ddca8-3144-4085-9a88-2d72c5133734',
    url: 'https://api.xero.com/api.xro/2.0/Invoices/220ddca8-3144-4085-9a88-2d72c5133734',
    at: '2026-01-31T09:00:00.000Z',
  },
  ...ofApp,
  events: created('INVOICE'),
});
