import { recipientsOf } from './recipients.js';

const ANN = 'ann@acme.com';
const read = (to: string) => recipientsOf({ input: { to }, recipients: ['to'] });

it.each([
  `"${ANN}"`,
  `'${ANN}'`,
  `(${ANN})`,
  '"ann"@acme.com',
  `mailto:${ANN}`,
  `<MAILTO:${ANN}>`,
  `"mailto:${ANN}"`,
  `mailto:bob@acme.com?cc=${ANN}`,
  'mailto:%61nn%40acme.com',
])('%s is read as ann and as her domain in a denylist', (to) => {
  const { places } = read(to);
  expect([places.get(ANN), places.get('@acme.com')]).toEqual(['to', 'to']);
});

it.each(['ann@acme。com', 'ann@ac\u00adme.com', 'ann@acme.ⓒom', 'ann@ACME.com.'])(
  '%j is ann, as the domain is read',
  (to) => {
    expect([...read(to).places.keys()].sort()).toEqual(['@acme.com', ANN]);
  },
);

it('%61cme.com is not the domain acme.com in an address', () => {
  expect(read('ann@%61cme.com').recipients.map(({ domain }) => domain)).toEqual([undefined]);
});

it.each([`"${ANN}"`, `mailto:${ANN}`, `mailto:${ANN}?cc=eve@evil.org`])(
  '%s matches only itself in an allowlist',
  (to) => {
    expect(read(to).recipients.map(({ id }) => id)).toEqual([to]);
  },
);
