import { clientNetwork } from './concurrency-limits.js';

describe('a client is counted', () => {
  it.each([
    ['with its own IPv4 address', '203.0.113.7', '203.0.113.7', true],
    ['apart from the next IPv4 address', '203.0.113.7', '203.0.113.8', false],
    ['under its IPv4 address where IPv6 carries it', '203.0.113.7', '::ffff:203.0.113.7', true],
    ['with all of its IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['apart from the next IPv6 /64', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['with every client at an unknown address', undefined, 'nonsense', true],
  ])('%s', (_how, one, other, areOne) => {
    expect(clientNetwork(one) === clientNetwork(other)).toBe(areOne);
  });
});
