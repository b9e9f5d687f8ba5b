import { rateLimits } from './rate-limits.js';

it('keeps the window of an organization, however many networks ask without a key', () => {
  const limits = rateLimits(5);
  const holder = { orgId: 'a', userId: 'u', keyId: 'k', permissions: undefined, requestsPerMinute: 10 };
  limits.count(holder, 'own');
  for (let index = 0; index < 100_001; index++) limits.count(undefined, `network ${index}`);
  expect(limits.look(holder, 'own').used).toBe(1);
});
