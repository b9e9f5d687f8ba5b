import { type Credential, type JsonObject, readAccount, testCredential } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { xero } from './index.js';
import { toTime } from './records.js';

const description = readDescription('xero');
const check = by(description);
const ID = '220ddca8-3144-4085-9a88-2d72c5133734';
const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data: { tenantId: 't1' } };
const records = { Invoices: [{}], Contacts: [{}], Payments: [{}], Reports: [{}], Attachments: [{}], Accounts: [{}] };
const setting: Setting = { piece: xero, credential, reply: () => json(records) };
const AT = '/api.xro/2.0';
const file = { filename: 'a b.pdf', mimeType: 'application/pdf', base64: 'aGk=' };

const minimal = { contact_id: ID, line_items: [{ Description: 'Tea' }] };
const full = {
  contact_id: ID,
  line_items: [
    {
      ...{ Description: 'Tea', Quantity: 2, UnitAmount: 4.5, AccountCode: '200' },
      ...{ TaxType: 'OUTPUT', ItemCode: 'T1', DiscountRate: 10 },
    },
  ],
  ...{ date: '2026-01-31', due_date: '2026-02-28', number: 'INV-1', reference: 'R', currency: 'EUR' },
  ...{ line_amounts: 'Inclusive', status: 'AUTHORISED' },
};
const invoices = (type: string): [JsonObject, string][] => [
  [
    minimal,
    `PUT ${AT}/Invoices {"Invoices":[{"Type":"${type}","Contact":{"ContactID":"${ID}"},"LineItems":[{"Description":"Tea"}]}]}`,
  ],
  [
    full,
    `PUT ${AT}/Invoices {"Invoices":[{"Type":"${type}","Contact":{"ContactID":"${ID}"},"LineItems":[{"Description":"Tea",` +
      '"Quantity":2,"UnitAmount":4.5,"AccountCode":"200","TaxType":"OUTPUT","ItemCode":"T1","DiscountRate":10}],' +
      '"Date":"2026-01-31","DueDate":"2026-02-28","InvoiceNumber":"INV-1","Reference":"R","CurrencyCode":"EUR",' +
      '"LineAmountTypes":"Inclusive","Status":"AUTHORISED"}]}',
  ],
];

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_invoice: invoices('ACCREC'),
    create_bill: invoices('ACCPAY'),
    get_invoice: [[{ invoice_id: ID }, `GET ${AT}/Invoices/${ID}`]],
    list_invoices: [
      [{}, `GET ${AT}/Invoices?order=UpdatedDateUTC+DESC&page=1`],
      [
        { type: 'ACCPAY', statuses: ['DRAFT', 'PAID'], changed_after: '2026-01-31T09:00:00+01:00', limit: 5 },
        `GET ${AT}/Invoices?where=Type%3D%3D%22ACCPAY%22&Statuses=DRAFT%2CPAID&order=UpdatedDateUTC+DESC&page=1`,
      ],
    ],
    send_invoice: [[{ invoice_id: ID }, `POST ${AT}/Invoices/${ID}/Email {}`]],
    create_contact: [
      [{ name: 'Acme' }, `POST ${AT}/Contacts {"Contacts":[{"Name":"Acme"}]}`],
      [
        {
          ...{ name: 'Acme', email: 'a@x.example', first_name: 'Ada', last_name: 'Lee' },
          ...{ tax_number: 'T1', account_number: 'A1', phone: '555' },
        },
        `POST ${AT}/Contacts {"Contacts":[{"Name":"Acme","EmailAddress":"a@x.example","FirstName":"Ada","LastName":"Lee",` +
          '"TaxNumber":"T1","AccountNumber":"A1","Phones":[{"PhoneType":"DEFAULT","PhoneNumber":"555"}]}]}',
      ],
    ],
    find_contact: [
      [{}, `GET ${AT}/Contacts?order=Name&page=1`],
      [
        { name: 'Acme', email: 'A@x.example', limit: 5 },
        `GET ${AT}/Contacts?where=Name%21%3Dnull+AND+Name.ToLower%28%29.Contains%28%22acme%22%29+AND+` +
          'EmailAddress%21%3Dnull+AND+EmailAddress.ToLower%28%29%3D%3D%22a%40x.example%22&order=Name&page=1',
      ],
    ],
    create_payment: [
      [
        { invoice_id: ID, amount: 12.5, account_id: ID },
        `POST ${AT}/Payments {"Invoice":{"InvoiceID":"${ID}"},"Account":{"AccountID":"${ID}"},"Amount":12.5}`,
      ],
      [
        { invoice_id: ID, amount: 12.5, account_id: ID, date: '2026-01-31', reference: 'R' },
        `POST ${AT}/Payments {"Invoice":{"InvoiceID":"${ID}"},"Account":{"AccountID":"${ID}"},"Amount":12.5,` +
          '"Date":"2026-01-31","Reference":"R"}',
      ],
    ],
    list_accounts: [[{}, `GET ${AT}/Accounts`]],
    get_report: [
      [{ report: 'BalanceSheet' }, `GET ${AT}/Reports/BalanceSheet`],
      [{ report: 'TrialBalance', to: '2026-01-31' }, `GET ${AT}/Reports/TrialBalance?date=2026-01-31`],
      [{ report: 'BankSummary', from: '2026-01-01' }, `GET ${AT}/Reports/BankSummary?fromDate=2026-01-01`],
      [
        { report: 'ProfitAndLoss', from: '2026-01-01', to: '2026-01-31' },
        `GET ${AT}/Reports/ProfitAndLoss?fromDate=2026-01-01&toDate=2026-01-31`,
      ],
    ],
    upload_attachment: [[{ invoice_id: ID, file }, `POST ${AT}/Invoices/${ID}/Attachments/a%20b.pdf hi`]],
  });
});

it('sends the organization, the wanted format and a key for writes', async () => {
  const { received } = await runPiece(setting, 'create_invoice', minimal);
  expect(received[0]?.headers).toMatchObject({
    ...{ authorization: 'Bearer canary', 'xero-tenant-id': 't1', accept: 'application/json' },
    'idempotency-key': 'run-1',
  });
  const changed = await runPiece(setting, 'list_invoices', { changed_after: '2026-01-31T09:00:00+01:00' });
  expect(changed.received[0]?.headers['if-modified-since']).toBe('2026-01-31T08:00:00');
});

it.each([
  ['/Date(1769850000000+0000)/', '2026-01-31T09:00:00.000Z'],
  ['/Date(1769850000000)/', '2026-01-31T09:00:00.000Z'],
  ['2026-01-31', undefined],
  [`/Date(${'1'.repeat(100_000)})/`, undefined],
  [7, undefined],
])('reads the time %s', (value, expected) => expect(toTime(value)).toBe(expected));

it('returns invoices with their contact and their times', async () => {
  const invoice = {
    ...{ InvoiceID: ID, Type: 'ACCREC', Total: 9, DateString: '2026-01-31T00:00:00', Payments: [] },
    ...{
      DueDateString: '2026-02-28T00:00:00',
      AmountDue: 0,
      AmountPaid: 9,
      FullyPaidOnDate: '/Date(1769850000000+0000)/',
    },
    ...{ Contact: { ContactID: 'c1', Name: 'Acme', Phones: [] }, UpdatedDateUTC: '/Date(1769850000000+0000)/' },
  };
  const reply = () => json({ Invoices: [invoice] });
  const { output } = await runPiece({ ...setting, reply }, 'get_invoice', { invoice_id: ID });
  expect(output).toEqual({
    ...{ InvoiceID: ID, Type: 'ACCREC', Total: 9, Date: '2026-01-31T00:00:00', ContactID: 'c1', ContactName: 'Acme' },
    ...{ DueDate: '2026-02-28T00:00:00', AmountDue: 0, AmountPaid: 9, FullyPaidOnDate: '2026-01-31T09:00:00.000Z' },
    UpdatedDateUTC: '2026-01-31T09:00:00.000Z',
  });
  const { DateString: _d, DueDateString: _due, Payments: _p, Contact, ...described } = invoice;
  const body = { Invoices: [{ ...described, Contact: { ContactID: 'c1', Name: Contact.Name } }] };
  expect(checkResponse(description, 'GET /Invoices', body)).toEqual([]);
});

it('reads the pages of a list', async () => {
  const page = (from: number, many: number) =>
    Array.from({ length: many }, (_, at) => ({ InvoiceID: `${from + at}`, Status: 'PAID' }));
  const reply = ({ url }: Recorded): Reply => json({ Invoices: url.includes('page=2') ? page(100, 3) : page(0, 100) });
  const { output } = await runPiece({ ...setting, reply }, 'list_invoices', { limit: 200 });
  expect(output['items']).toHaveLength(103);
});

it.each(['a" OR Name!=null OR Name=="', 'a\\'])('does not let a name change the condition: %s', (name) => {
  expect(xero.actions['find_contact']!.props['name']!.schema).toMatchObject({ pattern: '^[^"\\\\]+$' });
  expect(/^[^"\\]+$/.test(name)).toBe(false);
});

it('refuses the first day of a report of one day', async () => {
  const input = { report: 'BalanceSheet', from: '2026-01-01' };
  await expect(runPiece(setting, 'get_report', input)).rejects.toMatchObject({ name: 'InputError', property: 'from' });
});

it.each([
  {
    ...{ action: 'create_invoice', property: 'contact_id' },
    body: { Contacts: [{ ContactID: 'c1', Name: 'Acme' }] },
    option: { label: 'Acme', value: 'c1' },
    request: `GET ${AT}/Contacts?order=Name&page=1`,
  },
  {
    ...{ action: 'create_payment', property: 'account_id' },
    body: { Accounts: [{ AccountID: 'a1', Name: 'Bank' }] },
    option: { label: 'Bank', value: 'a1' },
    request: `GET ${AT}/Accounts?where=Status%3D%3D%22ACTIVE%22+AND+%28Type%3D%3D%22BANK%22+OR+EnablePaymentsToAccount%3D%3Dtrue%29`,
  },
])('offers the options of $action.$property', async ({ action, property, body, option, request }) => {
  const { output, received, asked } = await optionsOf({ ...setting, reply: () => json(body) }, [action, property]);
  expect(output.options).toEqual([option]);
  expect(asked).toEqual([request]);
  expect(received.flatMap(check)).toEqual([]);
});

describe('a new connection', () => {
  const one = (tenantId: string, updatedDateUtc: string, tenantType = 'ORGANISATION') => ({
    ...{ tenantId, tenantType, tenantName: `${tenantId} Ltd`, updatedDateUtc },
  });

  it('belongs to the organization that was selected last', async () => {
    const tenants = [
      one('old', '2026-01-31T09:00:00.0000000'),
      one('practice', '2026-03-01T09:00:00.0000000', 'PRACTICE'),
      one('new', '2026-02-28T09:00:00.0000000'),
    ];
    const { send, received, close } = await startThirdParty(() => json(tenants));
    await testCredential(xero, { credential, send });
    expect(await readAccount(xero, { credential, send })).toEqual({ data: { tenantId: 'new' }, label: 'new Ltd' });
    await close();
    expect(received.map(toLine)).toEqual(['GET /connections', 'GET /connections']);
  });

  it.each([{ tenants: [] }, { tenants: [one('p', '2026', 'PRACTICE')] }])(
    'without an organization is refused: %j',
    async ({ tenants }) => {
      const { send, close } = await startThirdParty(() => json(tenants));
      await expect(readAccount(xero, { credential, send })).rejects.toThrow('has no organization');
      await close();
    },
  );

  // The scopes are those that the documentation lists: https://developer.xero.com/documentation/guides/oauth2/scopes
  it('has the scopes of all actions', () => {
    expect(xero.auth?.oauth2).toEqual({
      ...{ authUrl: 'https://login.xero.com/identity/connect/authorize', clientAuth: 'basic', refresh: 'rotating' },
      ...{ tokenUrl: 'https://identity.xero.com/connect/token', issuer: 'https://identity.xero.com' },
      scopes: [
        ...['offline_access', 'accounting.invoices', 'accounting.payments', 'accounting.contacts'],
        ...['accounting.settings.read', 'accounting.attachments', 'accounting.reports.balancesheet.read'],
        ...['accounting.reports.banksummary.read', 'accounting.reports.executivesummary.read'],
        ...['accounting.reports.profitandloss.read', 'accounting.reports.trialbalance.read'],
      ],
      revoke: { url: 'https://identity.xero.com/connect/revocation', as: 'client-basic' },
    });
  });
});

it.each([
  ['create_invoice', 'write', undefined],
  ['create_bill', 'write', undefined],
  ['create_contact', 'write', undefined],
  ['create_payment', 'payment', undefined],
  ['send_invoice', 'send', ['invoice_id']],
  ['upload_attachment', 'write', undefined],
])('%s has the category %s and is not idempotent', (name, category, recipients) => {
  expect(xero.actions[name]).toMatchObject({ category, idempotent: false });
  expect(xero.actions[name]?.recipients).toEqual(recipients);
});

it('bounds the lines of an invoice, the amount of a payment and the ids in a path', () => {
  const schemaOf = (action: string, property: string) => xero.actions[action]?.props[property]?.schema;
  expect(schemaOf('create_invoice', 'line_items')).toMatchObject({
    ...{ minItems: 1, maxItems: 200 },
    items: { required: ['Description'], additionalProperties: false, properties: { DiscountRate: { maximum: 100 } } },
  });
  expect(schemaOf('create_payment', 'amount')).toMatchObject({ minimum: 0.01 });
  for (const [action, property] of [
    ['get_invoice', 'invoice_id'],
    ['send_invoice', 'invoice_id'],
    ['create_invoice', 'contact_id'],
    ['create_payment', 'account_id'],
  ] as const) {
    const { pattern } = schemaOf(action, property) as { pattern: string };
    expect([ID, `${ID}/Email`, `../${ID}`, 'a'].map((id) => new RegExp(pattern).test(id))).toEqual([
      ...[true, false, false, false],
    ]);
  }
});

it('returns payments, accounts and contacts in short', async () => {
  const output = async (name: string, input: JsonObject, body: unknown) =>
    (await runPiece({ ...setting, reply: () => json(body) }, name, input)).output;
  const payment = { PaymentID: 'p1', Amount: 9, Status: 'AUTHORISED', PaymentType: 'ACCRECPAYMENT' };
  const Payments = [{ ...payment, Invoice: { InvoiceID: 'i1', Contact: {} }, CurrencyRate: 1 }];
  expect(await output('create_payment', { invoice_id: ID, amount: 9, account_id: ID }, { Payments })).toEqual({
    ...payment,
    InvoiceID: 'i1',
  });
  const account = {
    ...{ AccountID: 'a1', Code: '200', Name: 'Sales', Type: 'REVENUE', Class: 'REVENUE', Status: 'ACTIVE' },
    ...{ TaxType: 'OUTPUT', CurrencyCode: 'EUR', EnablePaymentsToAccount: true },
  };
  expect(await output('list_accounts', {}, { Accounts: [{ ...account, HasAttachments: false }] })).toEqual({
    items: [account],
  });
  const contact = { ContactID: 'c1', Name: 'Acme', EmailAddress: 'a@x.example', ContactStatus: 'ACTIVE' };
  expect(await output('create_contact', { name: 'Acme' }, { Contacts: [{ ...contact, Phones: [] }] })).toEqual(contact);
});

it('reports the first validation error', async () => {
  const Elements = [{ ValidationErrors: [{ Message: 'Account code is not valid' }] }];
  const reply = () => json({ ErrorNumber: 10, Type: 'ValidationException', Message: 'A validation…', Elements }, 400);
  await expect(runPiece({ ...setting, reply }, 'create_invoice', minimal)).rejects.toMatchObject({
    ...{ status: 400, code: 'ValidationException', message: 'Account code is not valid' },
  });
});

it.each([
  [
    400,
    { Type: 'PostDataInvalidException', Message: 'JSON is malformed' },
    'JSON is malformed',
    'PostDataInvalidException',
  ],
  [403, { Title: 'Forbidden', Detail: 'AuthenticationUnsuccessful' }, 'AuthenticationUnsuccessful', 'Forbidden'],
])('reports a failure with status %i', async (status, body, message, code) => {
  const reply = () => json(body, status);
  const run = runPiece({ ...setting, reply }, 'create_invoice', minimal);
  await expect(run).rejects.toMatchObject({ status, code, message });
});
