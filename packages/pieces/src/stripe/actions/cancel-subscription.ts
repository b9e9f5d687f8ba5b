import { action, checkbox, dropdown, expandPath, InputError } from '@drawbridge/piece-kit';
import { shown, SUBSCRIPTION } from '../answers.js';
import { customers, subscriptions } from '../options.js';
import { SUBSCRIPTION as ABOUT } from '../properties.js';

/** Cancels a subscription immediately, or at the end of its period: https://docs.stripe.com/api/subscriptions/cancel */
export const cancelSubscription = action({
  displayName: 'Cancel subscription',
  description: 'Ends a subscription now, or at the end of its period, and returns it. An ended one cannot be resumed.',
  category: 'delete',
  props: {
    customer: dropdown('Customer', { description: 'Lists only subscriptions of this customer.', options: customers }),
    subscription: dropdown('Subscription', {
      required: true,
      description: ABOUT,
      pattern: '^sub_[A-Za-z0-9]+$',
      refreshers: ['customer'],
      options: subscriptions,
    }),
    at_period_end: checkbox('At the end of the period', {
      description: 'Keeps the subscription until then, without another payment.',
    }),
    invoice_now: checkbox('Invoice now', { description: 'Bills usage not yet invoiced. Only if it ends now.' }),
    prorate: checkbox('Prorate', { description: 'Credits the unused time. Only if it ends now.' }),
  },
  run: async ({ http, input: { subscription, at_period_end, invoice_now, prorate } }) => {
    const path = expandPath('/v1/subscriptions/{subscription}', { subscription });
    const query = { invoice_now, prorate };
    if (!at_period_end) return shown(await http.json({ method: 'DELETE', path, query }), SUBSCRIPTION);
    if (invoice_now || prorate)
      throw new InputError(prorate ? 'prorate' : 'invoice_now', 'needs a subscription that ends now');
    const form = { cancel_at_period_end: true };
    return shown(await http.json({ method: 'POST', path, form }), SUBSCRIPTION);
  },
});
