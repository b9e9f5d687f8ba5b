import { action, checkbox, expandPath, shortText } from '@drawbridge/piece-kit';

/** https://docs.stripe.com/api/subscriptions/cancel and, at the end of the period, https://docs.stripe.com/api/subscriptions/update */
export const cancelSubscription = action({
  displayName: 'Cancel subscription',
  description: 'Ends a subscription at the end of the period that was paid, or at once.',
  category: 'delete',
  props: {
    subscription: shortText('Subscription', {
      required: true,
      description: 'The id of a subscription, such as sub_1MowQVLkdIwHu7ix.',
      pattern: '^sub_\\w+$',
      maxLength: 255,
    }),
    at_once: checkbox('At once', { description: 'Ends it now. Defaults to false.' }),
    prorate: checkbox('Prorate', { description: 'Credits the rest of the period, if it ends at once.' }),
  },
  run: ({ http, input: { subscription, at_once = false, prorate } }) => {
    const path = expandPath('/v1/subscriptions/{subscription}', { subscription });
    if (!at_once) return http.json({ method: 'POST', path, form: { cancel_at_period_end: true } });
    return http.json({ method: 'DELETE', path, ...(prorate !== undefined && { form: { prorate } }) });
  },
});
