/** The most common types of events. Users can enter any other type: https://docs.stripe.com/api/events/types */
const TYPES = {
  charge: 'captured expired failed pending refunded succeeded updated',
  'charge.dispute': 'closed created funds_reinstated funds_withdrawn updated',
  'checkout.session': 'async_payment_failed async_payment_succeeded completed expired',
  customer: 'created deleted updated',
  'customer.subscription': 'created deleted paused resumed trial_will_end updated',
  invoice:
    'created deleted finalization_failed finalized marked_uncollectible paid payment_action_required payment_failed ' +
    'payment_succeeded sent upcoming updated voided',
  payment_intent: 'amount_capturable_updated canceled created payment_failed processing requires_action succeeded',
  payment_link: 'created updated',
  payment_method: 'attached automatically_updated detached updated',
  payout: 'canceled created failed paid updated',
  price: 'created deleted updated',
  product: 'created deleted updated',
  quote: 'accepted canceled created finalized',
  refund: 'created updated',
  setup_intent: 'canceled created requires_action setup_failed succeeded',
  subscription_schedule: 'canceled completed created expiring released updated',
  transfer: 'created reversed updated',
};

export const EVENT_TYPES: readonly string[] = Object.entries(TYPES).flatMap(([subject, events]) =>
  events.split(' ').map((event) => `${subject}.${event}`),
);
