import { action, checkbox, dropdown, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { customers } from '../options.js';
import { amountOf, currency, CUSTOMER, email, metadata, url } from '../properties.js';

/** Creates a payment intent: https://docs.stripe.com/api/payment_intents/create */
export const createPaymentIntent = action({
  displayName: 'Create payment intent',
  description: 'Creates a payment intent and returns it. With "Confirm", charges it immediately.',
  category: 'payment',
  recipients: ['customer', 'receipt_email'],
  props: {
    amount: amountOf('Amount'),
    currency,
    customer: dropdown('Customer', { description: CUSTOMER, options: customers }),
    payment_method: shortText('Payment method', {
      description: 'A payment method of the customer (pm_…).',
      maxLength: 255,
    }),
    automatic_payment_methods: checkbox('All payment methods', {
      description: 'All methods enabled in the dashboard. Defaults to cards only.',
    }),
    confirm: checkbox('Confirm', { description: 'Charges the payment method immediately.' }),
    off_session: checkbox('Off session', { description: 'Confirms the payment while the payer is not present.' }),
    return_url: shortText('Return URL', { description: 'URL to which the bank redirects the payer.', ...url }),
    capture_method: staticDropdown('Capture', ['automatic', 'manual'], {
      description: 'Manual authorizes the amount now and captures it later.',
    }),
    receipt_email: shortText('Receipt email', { description: 'Email address for the receipt.', ...email }),
    description: longText('Description', { maxLength: 1000 }),
    statement_descriptor_suffix: shortText('Statement suffix', {
      description: "Text after your company's name on the payer's statement.",
      maxLength: 22,
    }),
    metadata,
  },
  run: async ({ http, input }) => {
    const { automatic_payment_methods: enabled, ...form } = input;
    const methods = enabled !== undefined && { automatic_payment_methods: { enabled } };
    return http.json({ method: 'POST', path: '/v1/payment_intents', form: { ...form, ...methods } });
  },
});
