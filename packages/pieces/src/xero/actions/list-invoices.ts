import { action, collect, dateTime, staticDropdown, staticMultiSelect } from '@drawbridge/piece-kit';
import { limit } from '../properties.js';
import { ACCOUNTING, numberedPages, toInvoice } from '../records.js';

const TYPES = [
  { label: 'Invoices', value: 'ACCREC' },
  { label: 'Bills', value: 'ACCPAY' },
] as const;

/** Lists invoices or bills: https://developer.xero.com/documentation/api/accounting/invoices#get-invoices */
export const listInvoices = action({
  displayName: 'List invoices',
  description: 'Lists invoices or bills, the most recently changed first.',
  category: 'read',
  props: {
    type: staticDropdown('Type', TYPES, { description: 'Which of them. Absent: both.' }),
    statuses: staticMultiSelect('Statuses', ['DRAFT', 'SUBMITTED', 'AUTHORISED', 'PAID', 'VOIDED'], {
      description: 'Only those with one of these statuses.',
    }),
    changed_after: dateTime('Changed after', { description: 'Only those that changed after this time.' }),
    limit,
  },
  run: async ({ http, input: { type, statuses, changed_after, limit: count = 100 } }) => {
    const query = {
      where: type && `Type=="${type}"`,
      Statuses: statuses && statuses.join(','),
      order: 'UpdatedDateUTC DESC',
      page: 1,
    };
    const headers = changed_after && { 'if-modified-since': new Date(changed_after).toISOString().slice(0, 19) };
    const request = { method: 'GET', path: `${ACCOUNTING}/Invoices`, query, ...(headers && { headers }) } as const;
    return (await collect(http.pages(request, count, numberedPages('Invoices')))).map(toInvoice);
  },
});
