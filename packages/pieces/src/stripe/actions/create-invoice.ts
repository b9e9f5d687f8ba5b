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

/** An item of an invoice in the input. */
type Item = { price?: string; unit_amount?: number; description?: string; quantity?: number };

/** Creates a draft invoice with its items: https://docs.stripe.com/api/invoices/create */
export const createInvoice = action({
  displayName: 'Create invoice',
  description:
    'Creates a draft invoice with its items and returns it. With "Auto-advance", Stripe finalizes and collects it within an hour.',
  category: 'payment',
  recipients: ['customer'],
  props: {
    customer: dropdown('Customer', { required: true, description: CUSTOMER, options: customers }),
    items: json('Items', {
      description:
        'With a price id, or in the smallest unit of the currency: [{"description": "Support", "unit_amount": 9900, "quantity": 2}]. ' +
        'quantity is optional.',
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
      description: 'Such as eur. Required for items without a price.',
      pattern: '^[a-z]{3}$',
    }),
    pending_invoice_items_behavior: staticDropdown('Pending items', ['include', 'exclude'], {
      description: "Includes or excludes the customer's pending items. Defaults to exclude.",
    }),
    collection_method: staticDropdown('Collection', [
      { label: 'Charge the customer', value: 'charge_automatically' },
      { label: 'Send the invoice', value: 'send_invoice' },
    ]),
    days_until_due: number('Days until due', {
      description: 'Only for invoices that are sent to the customer.',
      integer: true,
      minimum: 0,
    }),
    auto_advance: checkbox('Auto-advance', { description: 'Finalizes and collects the invoice automatically.' }),
    description: longText('Description', { description: 'Shown on the invoice.', maxLength: 1500 }),
    footer: longText('Footer', { maxLength: 5000 }),
    metadata,
  },
  run: async ({ http, input: { items = [], ...form } }) => {
    const { customer, currency } = form;
    const lines = items.map((item) => toLine(item, currency));
    if (lines.length === 0) return http.json({ method: 'POST', path: '/v1/invoices', form });

    // Finalizes only after all items are added. If the run is interrupted, Stripe never collects an incomplete invoice.
    const draft = form.auto_advance ? { ...form, auto_advance: false } : form;
    const invoice = await http.json({ method: 'POST', path: '/v1/invoices', form: draft });
    const id = textAt(invoice, 'id');
    if (!id) throw new ProviderError('Stripe returned an invoice without an id');
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

/** An item has an existing price, or a separate amount. */
function toLine({ price, unit_amount, ...line }: Item, currency: string | undefined): JsonObject {
  if (unit_amount === undefined) return { ...line, ...(price !== undefined && { pricing: { price } }) };
  if (!currency) throw new InputError('currency', 'is required for an item with a unit_amount');
  return { ...line, unit_amount_decimal: String(unit_amount), currency };
}

/** Adds all items. On failure tries to delete the draft, because a user might finalize an incomplete invoice. */
async function addLines(http: Http, id: string, lines: JsonObject[]): Promise<void> {
  try {
    for (const line of lines) await http.json({ method: 'POST', path: '/v1/invoiceitems', form: line });
  } catch (error) {
    await http.send({ method: 'DELETE', path: expandPath('/v1/invoices/{id}', { id }) }).catch(() => undefined);
    throw error;
  }
}
