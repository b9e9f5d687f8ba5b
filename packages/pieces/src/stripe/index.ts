import { authorizationHeader, piece, ProviderError, type Http } from '@drawbridge/piece-kit';
import { createCheckout } from './actions/create-checkout.js';
import { createCustomer } from './actions/create-customer.js';
import { createInvoice } from './actions/create-invoice.js';
import { createPaymentIntent } from './actions/create-payment-intent.js';
import { createPrice } from './actions/create-price.js';
import { getBalance } from './actions/get-balance.js';
import { refund } from './actions/refund.js';
import { searchCustomers } from './actions/search-customers.js';
import { paging } from './paging.js';
import { event } from './triggers/event.js';
import { VERSION } from './version.js';

export const stripe = piece({
  name: 'stripe',
  displayName: 'Stripe',
  description: 'Manages customers, payments, invoices and prices.',
  categories: ['PAYMENT_PROCESSING'],
  origin: 'https://api.stripe.com',
  auth: {
    types: ['SECRET_TEXT'],
    required: true,
    description: 'A secret key (sk_…) or a restricted key (rk_…), from "API keys" in the Stripe dashboard.',
    test: isKnown,
  },
  http: {
    headers: { 'stripe-version': VERSION },
    authorize: authorizationHeader,
    paging,
    idempotencyHeader: 'idempotency-key',
    // https://docs.stripe.com/rate-limits: neither response says how long to wait.
    rateLimit: { when: [{ code: 'lock_timeout' }], seconds: 1 },
  },
  actions: {
    create_customer: createCustomer,
    search_customers: searchCustomers,
    create_payment_intent: createPaymentIntent,
    refund,
    create_invoice: createInvoice,
    create_checkout: createCheckout,
    create_price: createPrice,
    get_balance: getBalance,
  },
  triggers: { event },
});

/** Accepts restricted keys, even if they cannot read the balance. */
async function isKnown(http: Http): Promise<void> {
  try {
    await http.request({ method: 'GET', path: '/v1/balance' });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status !== 403) throw error;
  }
}
