import { recipientsOf } from './recipients.js';

const ANN = 'ann@acme.com';
const read = (to: string) => recipientsOf({ input: { to }, recipients: ['to'] }, new Set([ANN, '@acme.com']));

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
])('%s is read as ann and as her domain, where somebody is denied', (to) => {
  const { places } = read(to);
  expect([places.get(ANN), places.get('@acme.com')]).toEqual(['to', 'to']);
});

it.each([`"${ANN}"`, `mailto:${ANN}`, `mailto:${ANN}?cc=eve@evil.org`])(
  '%s stands for itself alone, where somebody is allowed',
  (to) => {
    expect(read(to).recipients.map(({ id }) => id)).toEqual([to]);
  },
);
