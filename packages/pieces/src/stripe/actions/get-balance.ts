import { action } from '@drawbridge/piece-kit';

/** Returns the available and pending balance by currency: https://docs.stripe.com/api/balance/balance_retrieve */
export const getBalance = action({
  displayName: 'Get balance',
  description: "Returns the available and pending balance by currency, in the currency's smallest unit.",
  category: 'read',
  props: {},
  call: { method: 'GET', path: '/v1/balance' },
});
