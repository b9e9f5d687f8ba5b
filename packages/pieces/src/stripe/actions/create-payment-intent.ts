import { action, checkbox, dropdown, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { customers } from '../options.js';
import { amountOf, currency, CUSTOMER, email, metadata, url } from '../properties.js';

/** https://docs.stripe.com/api/payment_intents/create */
export const createPaymentIntent = action({
  displayName: 'Create payment intent',
  description: 'Prepares a payment and, with "Confirm", takes it at once.',
  category: 'payment',
  recipients: ['customer', 'receipt_email'],
  props: {
    amount: amountOf('Amount'),
    currency,
    customer: dropdown('Customer', { description: CUSTOMER, options: customers }),
    payment_method: shortText('Payment method', {
      description: 'The id of a payment method of the customer, as in pm_1MqLiJLkdIwHu7ix.',
      maxLength: 255,
    }),
    automatic_payment_methods: checkbox('All payment methods', {
      description: 'Whether the payer chooses among those that the dashboard enables; cards alone if absent.',
    }),
    confirm: checkbox('Confirm', { description: 'Whether it is paid at once, with the payment method.' }),
    off_session: checkbox('Off session', { description: 'Whether the payer is away while it is confirmed.' }),
    return_url: shortText('Return address', { description: 'Where the payer comes back to from a bank.', ...url }),
    capture_method: staticDropdown('Capture', ['automatic', 'manual'], {
      description: 'Manual: the amount is held, and taken later.',
    }),
    receipt_email: shortText('Receipt to', { description: 'An email address.', ...email }),
    description: longText('Description', { maxLength: 1000 }),
    statement_descriptor_suffix: shortText('On the statement', {
      description: "What stands after your company's name on the payer's statement.",
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
