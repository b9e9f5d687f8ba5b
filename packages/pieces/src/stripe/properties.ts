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
  description: 'Three letters in lower case, as in eur.',
  pattern: '^[a-z]{3}$',
});

export const email = { pattern: '^[^\\s@]+@\\S+$', maxLength: 512 };
export const url = { pattern: '^https?://', maxLength: 5000 };
export const CUSTOMER = 'The id of a customer, as in cus_NffrFeUfNV2Hib.';

export const metadata = json('Metadata', {
  description: 'Texts of your own, by names of your own: {"order": "6735"}.',
  schema: {
    type: 'object',
    propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
    additionalProperties: { type: 'string', maxLength: 500 },
  },
});
