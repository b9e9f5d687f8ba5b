import {
  listOptions,
  member,
  textAt,
  type Http,
  type JsonValue,
  type LoadOptions,
  type SelectOption,
} from '@drawbridge/piece-kit';

/** Maximum number of options that a form shows. A search finds other options. */
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

const invoicesThatAre =
  (status: string): LoadOptions =>
  async ({ http }) =>
    toOptions(http, { path: '/v1/invoices', query: { status } }, (invoice) =>
      labelOf(invoice, 'number', 'customer_name', 'customer_email', 'id'),
    );
export const draftInvoices = invoicesThatAre('draft');
export const openInvoices = invoicesThatAre('open');

/** Lists the active subscriptions of the selected customer, or of all customers. */
export const subscriptions: LoadOptions = async ({ http, input }) =>
  toOptions(http, { path: '/v1/subscriptions', query: { customer: textAt(input, 'customer') } }, (subscription) =>
    labelOf(subscription, 'description', 'id', 'status'),
  );

function toOptions(
  http: Http,
  { path, query }: { path: string; query: { [key: string]: string | boolean | undefined } },
  label: (item: JsonValue) => string,
): Promise<SelectOption[]> {
  const request = { method: 'GET', path, query: { ...query, limit: PAGE } };
  return listOptions(http, request, { label: (item) => label(item) || textAt(item, 'id'), limit: LIMIT });
}

/**
 * Returns the word to send: Stripe matches substrings of 3 or more characters, and cannot combine AND and OR. The result is filtered by the other
 * words.
 */
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

/** Returns a text such as `12.50 EUR a month`. Tiered prices, and prices that the customer chooses, have no amount. */
function amountOf(price: JsonValue): string | undefined {
  const amount = member(price, 'unit_amount');
  const currency = textAt(price, 'currency')?.toUpperCase();
  if (typeof amount !== 'number' || !currency) return currency;

  const digits = decimalsOf(currency);
  const interval = textAt(price, 'recurring', 'interval');
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}${interval ? ` a ${interval}` : ''}`;
}

/** Returns the decimals of ISO 4217, with Stripe's two exceptions: docs.stripe.com/currencies#special-cases. */
function decimalsOf(currency: string): number {
  if (['ISK', 'UGX'].includes(currency)) return 2;
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2; // The currency code is unknown.
  }
}
