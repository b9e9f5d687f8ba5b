import { action, json, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { contact } from './properties.js';
import { ACCOUNTING, onlyOf, toInvoice } from './records.js';

const DATE = { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' } as const;
const TEXT = { type: 'string', minLength: 1, maxLength: 4_000 } as const;
const CODE = { type: 'string', minLength: 1, maxLength: 50 } as const;

const props = {
  contact_id: contact,
  line_items: json('Line items', {
    required: true,
    description:
      'Such as [{"Description": "Tea", "Quantity": 2, "UnitAmount": 4.5, "AccountCode": "200"}]. Also TaxType, ItemCode, DiscountRate.',
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      items: {
        type: 'object',
        required: ['Description'],
        additionalProperties: false,
        properties: {
          ...{ Description: TEXT, Quantity: { type: 'number' }, UnitAmount: { type: 'number' }, AccountCode: CODE },
          ...{ TaxType: CODE, ItemCode: CODE, DiscountRate: { type: 'number', minimum: 0, maximum: 100 } },
        },
      },
    },
  }),
  date: shortText('Date', { ...DATE, description: 'Date of issue. Defaults to today.' }),
  due_date: shortText('Due date', { ...DATE, description: 'Such as 2026-02-28.' }),
  number: shortText('Number', {
    description: 'Unique. Defaults to the next one.',
    maxLength: 255,
  }),
  reference: shortText('Reference', { description: 'A further reference of your own.', maxLength: 255 }),
  currency: shortText('Currency', {
    description: 'Such as EUR. Defaults to that of the account.',
    pattern: '^[A-Z]{3}$',
  }),
  line_amounts: staticDropdown('Amounts', ['Exclusive', 'Inclusive', 'NoTax'], {
    description: 'Whether amounts include tax. Defaults to Exclusive.',
  }),
  status: staticDropdown('Status', ['DRAFT', 'SUBMITTED', 'AUTHORISED'], {
    description: 'DRAFT is editable, AUTHORISED can be sent and paid. Defaults to DRAFT.',
  }),
};

interface Kind {
  displayName: string;
  description: string;
  type: 'ACCREC' | 'ACCPAY';
}

/** Declares an action that creates an invoice to a customer, or a bill from a supplier. */
export const newInvoice = ({ type, ...about }: Kind) =>
  action({
    ...about,
    category: 'write',
    adds: true,
    props,
    run: async ({ http, input }) => {
      const { contact_id, line_items, date, due_date, number, reference, currency, line_amounts, status } = input;
      const invoice = {
        ...{ Type: type, Contact: { ContactID: contact_id }, LineItems: line_items },
        ...(date && { Date: date }),
        ...(due_date && { DueDate: due_date }),
        ...(number && { InvoiceNumber: number }),
        ...(reference && { Reference: reference }),
        ...(currency && { CurrencyCode: currency }),
        ...(line_amounts && { LineAmountTypes: line_amounts }),
        ...(status && { Status: status }),
      };
      // Uses PUT, because a POST would overwrite an invoice that has this number.
      const body = { Invoices: [invoice] };
      const answer = await http.json({ method: 'PUT', path: `${ACCOUNTING}/Invoices`, json: body });
      return toInvoice(onlyOf(answer, 'Invoices'));
    },
  });
