import { rateLimits } from './rate-limits.js';

it('keeps the window of an organization, however many networks ask without a key', async () => {
  const limits = rateLimits(5);
  const who = { orgId: 'a', userId: 'u', keyId: 'k', sessionId: '', planVersion: 1 };
  const holder = { ...who, permissions: undefined, requestsPerMinute: 10 };
  limits.count(holder, '192.0.2.1');
  for (let index = 0; index < 100_001; index++)
    limits.count(undefined, `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  expect((await limits.peek(holder, '192.0.2.1')).used).toBe(1);
});
