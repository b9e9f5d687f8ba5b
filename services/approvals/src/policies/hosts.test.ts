import fc from 'fast-check';
import { toHost } from './hosts.js';

/** As they stand in hosts, those that browsers read otherwise too. */
const LABELS = ['acme', 'a_b', '-a', '--', '0', '0x1', '127', 'xn--bcher-kva', 'xn--a', 'bücher', 'ACME', ''];

it('a host is what a browser makes of it', () => {
  const hosts = fc.array(fc.constantFrom(...LABELS), { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  const property = fc.property(hosts, (host) => {
    const read = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : undefined;
    expect(toHost(host)).toBe(read?.split('.').includes('') ? undefined : read);
  });
  fc.assert(property, { numRuns: 5_000 });
});
