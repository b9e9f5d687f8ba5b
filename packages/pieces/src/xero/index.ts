import {
  authorizationHeader,
  type Credential,
  type Http,
  type JsonValue,
  listAt,
  piece,
  ProviderError,
  textAt,
} from '@drawbridge/piece-kit';
import { createBill } from './actions/create-bill.js';
import { createContact } from './actions/create-contact.js';
import { createInvoice } from './actions/create-invoice.js';
import { createPayment } from './actions/create-payment.js';
import { findContact } from './actions/find-contact.js';
import { getInvoice } from './actions/get-invoice.js';
import { getReport } from './actions/get-report.js';
import { listAccounts } from './actions/list-accounts.js';
import { listInvoices } from './actions/list-invoices.js';
import { sendInvoice } from './actions/send-invoice.js';
import { uploadAttachment } from './actions/upload-attachment.js';
import { contactCreated } from './triggers/contact-created.js';
import { invoiceCreated } from './triggers/invoice-created.js';
import { invoicePaid } from './triggers/invoice-paid.js';

export const xero = piece({
  name: 'xero',
  displayName: 'Xero',
  description: 'Creates and sends invoices, records bills and payments, and reads contacts, accounts and reports.',
  categories: ['ACCOUNTING'],
  origin: 'https://api.xero.com',
  auth: {
    types: ['OAUTH2'],
    required: true,
    test: '/connections',
    afterConnect,
    // The OAuth flow of the provider is documented at https://developer.xero.com/documentation/guides/oauth2/auth-flow
    oauth2: {
      authUrl: 'https://login.xero.com/identity/connect/authorize',
      tokenUrl: 'https://identity.xero.com/connect/token',
      issuer: 'https://identity.xero.com',
      scopes: [
        'offline_access',
        // Apps that were registered since March 2026 cannot request accounting.transactions and accounting.reports.read, which Xero will remove in
        // 2027.
        'accounting.invoices',
        'accounting.payments',
        'accounting.contacts',
        'accounting.settings.read',
        'accounting.attachments',
        ...['balancesheet', 'banksummary', 'executivesummary', 'profitandloss', 'trialbalance'].map(
          (report) => `accounting.reports.${report}.read`,
        ),
      ],
      clientAuth: 'basic',
      refresh: 'rotating',
      revoke: { url: 'https://identity.xero.com/connect/revocation', as: 'client-basic' },
    },
  },
  http: {
    headers: { accept: 'application/json' },
    authorize,
    // Requests with the same key create only one record: https://developer.xero.com/documentation/guides/idempotent-requests/idempotency
    idempotencyHeader: 'idempotency-key',
    // Error responses have one of these formats: https://developer.xero.com/documentation/api/accounting/responsecodes
    failure: { message: ['Elements.0.ValidationErrors.0.Message', 'Message', 'Detail'], code: ['Type', 'Title'] },
  },
  actions: {
    create_invoice: createInvoice,
    get_invoice: getInvoice,
    list_invoices: listInvoices,
    send_invoice: sendInvoice,
    create_bill: createBill,
    create_contact: createContact,
    find_contact: findContact,
    create_payment: createPayment,
    list_accounts: listAccounts,
    get_report: getReport,
    upload_attachment: uploadAttachment,
  },
  triggers: { invoice_created: invoiceCreated, invoice_paid: invoicePaid, contact_created: contactCreated },
});

/**
 * Reads the organization, which every request must specify. The list also contains organizations that the user connected before. The last changed
 * organization is the one that was just selected: https://developer.xero.com/documentation/guides/oauth2/tenants
 */
async function afterConnect(http: Http) {
  const tenants = listAt(await http.json({ method: 'GET', path: '/connections' }));
  const changedAt = (one: JsonValue) => textAt(one, 'updatedDateUtc') ?? '';
  const [tenant] = tenants
    .filter((one) => textAt(one, 'tenantType') === 'ORGANISATION')
    .sort((one, other) => changedAt(other).localeCompare(changedAt(one)));
  const tenantId = textAt(tenant, 'tenantId');
  if (!tenantId) throw new ProviderError('The account has no organization of Xero. Select one when you connect it.');
  return { data: { tenantId }, label: textAt(tenant, 'tenantName') };
}

function authorize(credential: Credential): Record<string, string> {
  const tenantId = 'data' in credential ? textAt(credential.data ?? {}, 'tenantId') : undefined;
  return { ...authorizationHeader(credential), ...(tenantId && { 'xero-tenant-id': tenantId }) };
}
