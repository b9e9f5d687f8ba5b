import { member, textAt, type Http, type JsonValue, type LoadOptions, type SelectOption } from '@drawbridge/piece-kit';

/** As many as a form shows; the rest is found by searching. */
const LIMIT = 300;
const PAGE = 100;

export const customers: LoadOptions = async ({ http, search }) => {
  const word = longestWord(search);
  const path = word ? '/v1/customers/search' : '/v1/customers';
  const query = word && `name~${quoted(word)} OR email~${quoted(word)}`;
  return toOptions(http, { path, query: { query } }, (customer) => labelOf(customer, 'name', 'email', 'description'));
};

export const products: LoadOptions = async ({ http, search }) => {
  const word = longestWord(search);
  const request = word
    ? { path: '/v1/products/search', query: { query: `active:"true" AND name~${quoted(word)}` } }
    : { path: '/v1/products', query: { active: true } };
  return toOptions(http, request, (product) => labelOf(product, 'name'));
};

export const prices: LoadOptions = async ({ http, input }) => {
  const product = textAt(input, 'product');
  return toOptions(http, { path: '/v1/prices', query: { active: true, product } }, (price) =>
    [textAt(price, 'nickname'), amountOf(price)].filter(Boolean).join(', '),
  );
};

async function toOptions(
  http: Http,
  { path, query }: { path: string; query: { [key: string]: string | boolean | undefined } },
  label: (item: JsonValue) => string,
): Promise<SelectOption[]> {
  const options: SelectOption[] = [];
  for await (const item of http.pages({ method: 'GET', path, query: { ...query, limit: PAGE } }, LIMIT)) {
    const id = textAt(item, 'id');
    if (id) options.push({ label: label(item) || id, value: id });
  }
  return options;
}

/** Stripe finds parts of texts from 3 characters on, and joins by AND or by OR alone: the other words are looked for here. */
function longestWord(search = ''): string | undefined {
  const words = search.split(/\s+/).filter((word) => word.length >= 3);
  return words.sort((one, other) => other.length - one.length)[0];
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

function labelOf(item: JsonValue, ...keys: string[]): string {
  return keys
    .map((key) => textAt(item, key))
    .filter(Boolean)
    .join(', ');
}

/** As in `12.50 EUR a month`. A price in tiers, or one that the customer names, has no amount. */
function amountOf(price: JsonValue): string | undefined {
  const amount = member(price, 'unit_amount');
  const currency = textAt(price, 'currency')?.toUpperCase();
  if (typeof amount !== 'number' || !currency) return currency;

  const digits = decimalsOf(currency);
  const interval = textAt(price, 'recurring', 'interval');
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}${interval ? ` a ${interval}` : ''}`;
}

/** As ISO 4217 says, but for two: docs.stripe.com/currencies#special-cases. */
function decimalsOf(currency: string): number {
  if (['ISK', 'UGX'].includes(currency)) return 2;
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2; // a code that nobody knows
  }
}
