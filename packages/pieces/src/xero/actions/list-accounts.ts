import { action, listAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { ACCOUNTING } from '../records.js';

const ACCOUNT = same(
  'AccountID',
  'Code',
  'Name',
  'Type',
  'Class',
  'Status',
  'TaxType',
  'CurrencyCode',
  'EnablePaymentsToAccount',
);

/** Lists the chart of accounts: https://developer.xero.com/documentation/api/accounting/accounts */
export const listAccounts = action({
  displayName: 'List accounts',
  description: 'Lists the chart of accounts. Lines of invoices name the code of an account.',
  category: 'read',
  props: {},
  run: async ({ http }) => {
    const accounts = listAt(await http.json({ method: 'GET', path: `${ACCOUNTING}/Accounts` }), 'Accounts');
    return accounts.map((account) => pickFields(account, ACCOUNT));
  },
});
