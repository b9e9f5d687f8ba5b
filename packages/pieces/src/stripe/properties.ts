import { checkbox, dateTime, json, longText, number, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';

/** States the unit, because a wrong unit is the most frequent mistake of people and agents. */
const SMALLEST_UNIT = 'In the smallest unit: 1250 is 12.50 EUR, or 1250 JPY.';

export const amountOf = (displayName: string) =>
  number(displayName, {
    required: true,
    description: SMALLEST_UNIT,
    integer: true,
    minimum: 1,
    maximum: 99_999_999_999,
  });

export const currency = shortText('Currency', {
  required: true,
  description: 'Such as eur.',
  pattern: '^[a-z]{3}$',
});

export const email = { pattern: '^[^\\s@]+@\\S+$', maxLength: 512 };
export const url = { pattern: '^https?://', maxLength: 5000 };
export const CUSTOMER = 'The id (cus_…).';
export const PRICE = 'The id (price_…).';
export const SUBSCRIPTION = 'The id (sub_…).';
export const INVOICE = {
  description: 'The id (in_…).',
  pattern: '^in_[A-Za-z0-9]+$',
  maxLength: 255,
} as const;

export const raw = checkbox('Whole object', {
  description: 'Returns all fields instead of the most used ones.',
});

/** The maximum page size of a list. */
export const PAGE = 100;
export const limit = itemLimit({ defaultsTo: 100, maximum: 1_000 });

export const period = {
  created_after: dateTime('Created from', { description: 'Earliest time, such as 2026-01-01T00:00:00Z.' }),
  created_before: dateTime('Created until', { description: 'Latest time, such as 2026-01-31T23:59:59Z.' }),
};

/** Returns the query for a period in seconds, which Stripe requires. */
export function toRange({ created_after, created_before }: { created_after?: string; created_before?: string }) {
  const seconds = (time: string | undefined) => time && Math.floor(Date.parse(time) / 1_000);
  return { 'created[gte]': seconds(created_after), 'created[lte]': seconds(created_before) };
}

export const metadata = json('Metadata', {
  description: 'Text values: {"order": "6735"}.',
  schema: {
    type: 'object',
    propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
    additionalProperties: { type: 'string', maxLength: 500 },
  },
});

const ADDRESS_LINE = { type: 'string', maxLength: 5000 } as const;

/** The fields of a customer that creating and updating accept. */
export const customerFields = {
  email: shortText('Email', { description: 'Email address for receipts and invoices.', ...email }),
  name: shortText('Name', { description: 'Name of the person or company.', maxLength: 256 }),
  phone: shortText('Phone', { description: 'Phone number.', maxLength: 20 }),
  description: longText('Description', {
    description: 'Shown in the dashboard.',
    maxLength: 5000,
  }),
  address: json('Address', {
    description: 'line1, line2, city, state, postal_code, country (two letters, such as DE).',
    schema: {
      type: 'object',
      properties: {
        line1: ADDRESS_LINE,
        line2: ADDRESS_LINE,
        city: ADDRESS_LINE,
        state: ADDRESS_LINE,
        postal_code: ADDRESS_LINE,
        country: { type: 'string', pattern: '^[A-Z]{2}$' },
      },
      additionalProperties: false,
    },
  }),
  preferred_locales: json('Languages', {
    description: 'Preferred first: ["de", "en"].',
    schema: { type: 'array', items: { type: 'string', maxLength: 35 }, maxItems: 10 },
  }),
  metadata,
};
