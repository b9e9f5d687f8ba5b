import { dropdown, number, shortText } from '@drawbridge/piece-kit';
import { contacts } from './options.js';

export const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

export const invoiceId = shortText('Invoice', {
  required: true,
  description: 'InvoiceID of an invoice or bill.',
  pattern: UUID,
});

export const contact = dropdown('Contact', {
  required: true,
  description: 'ContactID of a customer or supplier.',
  pattern: UUID,
  options: contacts,
});

export const limit = number('Limit', {
  description: 'Defaults to 100.',
  integer: true,
  minimum: 1,
  maximum: 1_000,
});
