import { type JsonObject, type JsonValue, listAt, numberPaging, ProviderError, textAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

export const ACCOUNTING = '/api.xro/2.0';

/** Pages of a list are requested by number: https://developer.xero.com/documentation/api/accounting/requests-and-responses#paging */
export const numberedPages = (items: string) => numberPaging({ items, param: 'page', size: 100 });

const INVOICE = {
  ...same('InvoiceID', 'InvoiceNumber', 'Type', 'Status', 'Reference', 'CurrencyCode', 'SubTotal', 'TotalTax', 'Total'),
  ...same('AmountDue', 'AmountPaid', 'SentToContact', 'LineItems', 'UpdatedDateUTC'),
  ...{ Date: 'DateString', DueDate: 'DueDateString', ContactID: 'Contact.ContactID', ContactName: 'Contact.Name' },
  FullyPaidOnDate: 'FullyPaidOnDate',
};
const CONTACT = same(
  'ContactID',
  'Name',
  'FirstName',
  'LastName',
  'EmailAddress',
  'ContactStatus',
  'TaxNumber',
  'UpdatedDateUTC',
);

export const toInvoice = (invoice: JsonValue): JsonObject => withTimes(pickFields(invoice, INVOICE));
export const toContact = (contact: JsonValue): JsonObject => withTimes(pickFields(contact, CONTACT));

/** Returns the only record in a response. */
export function onlyOf(response: JsonValue, records: string): JsonValue {
  const [record] = listAt(response, records);
  if (record === undefined) throw new ProviderError(`Xero returned no record in "${records}"`);
  return record;
}

function withTimes(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toTime(value) ?? value]));
}

const TIME = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;

/** Returns the time of a value such as "/Date(1517184000000+0000)/" in ISO 8601, or undefined for any other value. */
export function toTime(value: JsonValue | undefined): string | undefined {
  const [, milliseconds] = (typeof value === 'string' && TIME.exec(value)) || [];
  return milliseconds === undefined ? undefined : new Date(Number(milliseconds)).toISOString();
}

/** Returns the time at which Xero stored a record. */
export const updatedAt = (record: JsonValue): string | undefined => toTime(textAt(record, 'UpdatedDateUTC'));
