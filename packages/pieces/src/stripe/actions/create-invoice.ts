import {
  action,
  checkbox,
  dropdown,
  expandPath,
  InputError,
  json,
  longText,
  number,
  ProviderError,
  shortText,
  staticDropdown,
  textAt,
  type Http,
  type JsonObject,
} from '@drawbridge/piece-kit';
import { customers } from '../options.js';
import { CUSTOMER, metadata } from '../properties.js';

/** https://docs.stripe.com/api/invoices/create */
export const createInvoice = action({
  displayName: 'Create invoice',
  description:
    'Drafts an invoice with its items. With "Finalize by itself", Stripe completes and collects it within an hour.',
  category: 'payment',
  recipients: ['customer'],
  props: {
    customer: dropdown('Customer', { required: true, description: CUSTOMER, options: customers }),
    items: json('Items', {
      description:
        'Each has the id of a price, or a unit_amount in the smallest unit of the currency and a description; and a quantity: ' +
        '[{"description": "Support", "unit_amount": 9900, "quantity": 2}].',
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            price: { type: 'string', maxLength: 255 },
            unit_amount: { type: 'integer' },
            description: { type: 'string', maxLength: 5000 },
            quantity: { type: 'integer', minimum: 1 },
          },
          additionalProperties: false,
        },
        maxItems: 50,
      },
    }),
    currency: shortText('Currency', {
      description: 'Three letters in lower case, as in eur. Needed for items without a price.',
      pattern: '^[a-z]{3}$',
    }),
    pending_invoice_items_behavior: staticDropdown('Pending items', ['include', 'exclude'], {
      description: "Whether the customer's waiting items come along; exclude if absent.",
    }),
    collection_method: staticDropdown('Collection', [
      { label: 'Charge the customer', value: 'charge_automatically' },
      { label: 'Send the invoice', value: 'send_invoice' },
    ]),
    days_until_due: number('Days until due', { description: 'Where it is sent.', integer: true, minimum: 0 }),
    auto_advance: checkbox('Finalize by itself'),
    description: longText('Description', { description: 'Shown on the invoice.', maxLength: 1500 }),
    footer: longText('Footer', { maxLength: 5000 }),
    metadata,
  },
  run: async ({ http, input: { items = [], ...form } }) => {
    const { customer, currency } = form;
    const lines = items.map((item) => toLine(item, currency));
    if (lines.length === 0) return http.json({ method: 'POST', path: '/v1/invoices', form });

    // Finalizes only after all items are added. If the run ends early, Stripe never collects an incomplete invoice.
    const draft = form.auto_advance ? { ...form, auto_advance: false } : form;
    const invoice = await http.json({ method: 'POST', path: '/v1/invoices', form: draft });
    const id = textAt(invoice, 'id');
    if (!id) throw new ProviderError('The provider answered an invoice that has no id');
    await addLines(
      http,
      id,
      lines.map((line) => ({ ...line, customer, invoice: id })),
    );
    const path = expandPath('/v1/invoices/{id}', { id });
    return form.auto_advance
      ? http.json({ method: 'POST', path, form: { auto_advance: true } })
      : http.json({ method: 'GET', path });
  },
});

function toLine(item: JsonObject, currency: string | undefined): JsonObject {
  if (item['unit_amount'] === undefined) return item;
  if (!currency) throw new InputError('currency', 'is needed for an item that has a unit_amount');
  return { ...item, currency };
}

/** Adds all items, or tries to delete the draft on failure, because a user might finalize an incomplete invoice. */
async function addLines(http: Http, id: string, lines: JsonObject[]): Promise<void> {
  try {
    for (const line of lines) await http.json({ method: 'POST', path: '/v1/invoiceitems', form: line });
  } catch (error) {
    await http.send({ method: 'DELETE', path: expandPath('/v1/invoices/{id}', { id }) }).catch(() => undefined);
    throw error;
  }
}
