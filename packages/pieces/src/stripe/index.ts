import { authorizationHeader, piece, ProviderError, type Http } from '@drawbridge/piece-kit';
import { cancelSubscription } from './actions/cancel-subscription.js';
import { createCheckout } from './actions/create-checkout.js';
import { createCustomer } from './actions/create-customer.js';
import { createInvoice } from './actions/create-invoice.js';
import { createPaymentIntent } from './actions/create-payment-intent.js';
import { createPaymentLink } from './actions/create-payment-link.js';
import { createPrice } from './actions/create-price.js';
import { createProduct } from './actions/create-product.js';
import { createSubscription } from './actions/create-subscription.js';
import { finalizeInvoice } from './actions/finalize-invoice.js';
import { getBalance } from './actions/get-balance.js';
import { getCustomer } from './actions/get-customer.js';
import { getPayment } from './actions/get-payment.js';
import { listInvoices } from './actions/list-invoices.js';
import { listPayments } from './actions/list-payments.js';
import { refund } from './actions/refund.js';
import { searchCustomers } from './actions/search-customers.js';
import { sendInvoice } from './actions/send-invoice.js';
import { updateCustomer } from './actions/update-customer.js';
import { paging } from './paging.js';
import { event } from './triggers/event.js';
import { invoicePaid } from './triggers/invoice-paid.js';
import { paymentFailed } from './triggers/payment-failed.js';
import { paymentSucceeded } from './triggers/payment-succeeded.js';
import { subscriptionCancelled } from './triggers/subscription-cancelled.js';
import { subscriptionCreated } from './triggers/subscription-created.js';
import { VERSION } from './version.js';

export const stripe = piece({
  name: 'stripe',
  displayName: 'Stripe',
  description: 'Manages customers, payments, invoices, products and subscriptions.',
  categories: ['PAYMENT_PROCESSING'],
  origin: 'https://api.stripe.com',
  auth: {
    types: ['SECRET_TEXT'],
    required: true,
    description: 'A secret key (sk_…) or a restricted key (rk_…), from "API keys" in the Stripe dashboard.',
    keysUrl: 'https://dashboard.stripe.com/apikeys',
    test: isKnown,
  },
  http: {
    headers: { 'stripe-version': VERSION },
    authorize: authorizationHeader,
    paging,
    idempotencyHeader: 'idempotency-key',
    // Neither a 429 nor a lock timeout states how long to wait: https://docs.stripe.com/rate-limits
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
    get_customer: getCustomer,
    update_customer: updateCustomer,
    list_payments: listPayments,
    get_payment: getPayment,
    list_invoices: listInvoices,
    finalize_invoice: finalizeInvoice,
    send_invoice: sendInvoice,
    create_product: createProduct,
    create_subscription: createSubscription,
    cancel_subscription: cancelSubscription,
    create_payment_link: createPaymentLink,
  },
  triggers: {
    event,
    payment_succeeded: paymentSucceeded,
    payment_failed: paymentFailed,
    subscription_created: subscriptionCreated,
    subscription_cancelled: subscriptionCancelled,
    invoice_paid: invoicePaid,
  },
});

/** Accepts restricted keys, even if they cannot read the balance. */
async function isKnown(http: Http): Promise<void> {
  try {
    await http.request({ method: 'GET', path: '/v1/balance' });
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status !== 403) throw error;
  }
}
