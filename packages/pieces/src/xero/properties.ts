import { dropdown, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
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

export const limit = itemLimit({ defaultsTo: 100, maximum: 1_000 });
