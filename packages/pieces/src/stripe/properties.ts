import { json, number, shortText } from '@drawbridge/piece-kit';

/** Explains the unit, the most frequent mistake of people and agents. */
const SMALLEST_UNIT = "In the currency's smallest unit: 1250 is 12.50 EUR, or 1250 JPY.";

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
  description: 'Three lowercase letters, such as eur.',
  pattern: '^[a-z]{3}$',
});

export const email = { pattern: '^[^\\s@]+@\\S+$', maxLength: 512 };
export const url = { pattern: '^https?://', maxLength: 5000 };
export const CUSTOMER = 'The id of a customer, such as cus_NffrFeUfNV2Hib.';

export const metadata = json('Metadata', {
  description: 'Your own keys with text values: {"order": "6735"}.',
  schema: {
    type: 'object',
    propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
    additionalProperties: { type: 'string', maxLength: 500 },
  },
});

export const invoice = shortText('Invoice', {
  required: true,
  description: 'The id of an invoice, such as in_1MtHbELkdIwHu7ix.',
  pattern: '^in_\\w+$',
  maxLength: 255,
});

export const limit = number('Limit', {
  description: 'Maximum number of items. Defaults to 100.',
  integer: true,
  minimum: 1,
  maximum: 1000,
});
