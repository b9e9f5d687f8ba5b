import { listOptions, type LoadOptions, textAt } from '@drawbridge/piece-kit';
import { ACCOUNTING, numberedPages } from './records.js';

/** Lists contacts by name: https://developer.xero.com/documentation/api/accounting/contacts#get-contacts */
export const contacts: LoadOptions = ({ http }) => {
  const request = { method: 'GET', path: `${ACCOUNTING}/Contacts`, query: { order: 'Name', page: 1 } } as const;
  return listOptions(http, request, {
    label: (contact) => textAt(contact, 'Name'),
    value: 'ContactID',
    paging: numberedPages('Contacts'),
  });
};

/**
 * Lists accounts that accept payments: bank accounts, and accounts that are marked accordingly:
 * https://developer.xero.com/documentation/api/accounting/accounts
 */
export const paymentAccounts: LoadOptions = ({ http }) => {
  const query = { where: 'Status=="ACTIVE" AND (Type=="BANK" OR EnablePaymentsToAccount==true)' };
  return listOptions(
    http,
    { method: 'GET', path: `${ACCOUNTING}/Accounts`, query },
    {
      label: (account) => textAt(account, 'Name'),
      value: 'AccountID',
      paging: { items: numberedPages('Accounts').items, next: () => undefined },
    },
  );
};
