import { type Response } from 'express';
import { RateLimits } from './rate-limits.js';
import { Refusals } from './request-slots.js';

function answer() {
  const headers: Record<string, string> = {};
  const response = { set: (...given: unknown[]) => (Object.assign(headers, given[0]), response) };
  return { headers, response: response as unknown as Response };
}

// The addresses are more than the windows that are stored, and counting them takes seconds.
if (process.env['FULL'] !== '0') {
  it('keeps the window of an organization, however many networks ask without a key', async () => {
    const limits = new RateLimits(5, new Refusals());
    const holder = { orgId: 'a', requestsPerMinute: 10 };
    const { headers, response } = answer();
    await limits.count(response, holder, '192.0.2.1');
    const addresses = Array.from({ length: 100_001 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    await Promise.all(addresses.map((address) => limits.count(response, undefined, address)));
    await limits.show(response, holder, '192.0.2.1');
    expect(headers).toMatchObject({ 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '9' });
  });
}

it('counts the requests that it refuses', async () => {
  const refusals = new Refusals();
  const limits = new RateLimits(1, refusals);
  const { headers, response } = answer();
  await limits.count(response, undefined, '192.0.2.1');
  await expect(limits.count(response, undefined, '192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(headers['X-RateLimit-Remaining']).toBe('0');
  const labels = { kind: 'requests in 60 s', limit: 'of a network', code: 'RATE_LIMITED' };
  expect(refusals.metric.read()).toEqual([{ labels, value: 1 }]);
});
