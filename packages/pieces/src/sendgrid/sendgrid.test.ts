import { isCredentialRefused, type JsonObject, ProviderError, testCredential } from '@drawbridge/piece-kit';
import type { Description } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece } from '../../testing/run-piece.js';
import { startThirdParty, type Recorded, type Reply } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { sendgrid } from './index.js';

const credential = { type: 'SECRET_TEXT', secretText: 'SG.canary' } as const;
const described = readDescription('sendgrid');
const setting = { piece: sendgrid, credential, reply };

function reply({ url }: Recorded): Reply {
  if (url === '/v3/mail/send') return { status: 202, headers: { 'x-message-id': 'Xet6bZ7WRTG2fYDa-p7arw' }, body: '' };
  if (url === '/v3/mail/batch') return json({ batch_id: 'HkJ5yLYULb7Rj8GKSx7u025ouWVlMgAi' }, 201);
  return json({});
}

const sent = (mail: JsonObject): string => `POST /v3/mail/send ${JSON.stringify(mail)}`;
const [ann, bob, zoe] = [{ email: 'ann@acme.example' }, { email: 'bob@acme.example' }, { email: 'zoe@acme.example' }];
const least = { from: 'shop@acme.example', to: ['ann@acme.example'] };
const most = {
  ...{
    ...least,
    from_name: 'Shop',
    cc: ['bob@acme.example'],
    bcc: ['zoe@acme.example'],
    reply_to: 'help@acme.example',
  },
  ...{ attachment: { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' }, categories: ['invoices'] },
  ...{ custom_args: { order: '6735' }, unsubscribe_group: '17' },
};
const personalization = { to: [ann], cc: [bob], bcc: [zoe], custom_args: { order: '6735' } };
const sentMost = {
  from: { email: 'shop@acme.example', name: 'Shop' },
  reply_to: { email: 'help@acme.example' },
  attachments: [{ content: 'aGk=', filename: 'a.txt', type: 'text/plain', disposition: 'attachment' }],
  categories: ['invoices'],
  asm: { group_id: 17 },
};
const sentLeast = { personalizations: [{ to: [ann] }], from: { email: 'shop@acme.example' } };
const note = { subject: 'Hi', body: 'Hello' };
const sentNote = { subject: 'Hi', content: [{ type: 'text/plain', value: 'Hello' }] };
const page = { subject: 'Hi', body: '<p>Hello</p>', format: 'text/html', plain_text: 'Hello' };
const sentPage = {
  subject: 'Hi',
  content: [
    { type: 'text/plain', value: 'Hello' },
    { type: 'text/html', value: '<p>Hello</p>' },
  ],
};
const template = 'd-0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const batch_id = 'HkJ5yLYULb7Rj8GKSx7u025ouWVlMgAi';
const contact = {
  ...{
    email: 'ann@acme.example',
    first_name: 'Ann',
    last_name: 'Miller',
    address_line_1: 'Way 1',
    address_line_2: 'b',
  },
  ...{ city: 'Ulm', state_province_region: 'BW', postal_code: '89073', country: 'DE' },
  ...{ alternate_emails: ['ann@home.example'], custom_fields: { e1_T: 'gold' } },
};
const list = 'ca7d3ae0-4cbb-4b3b-9a3a-0b4f0a5c6d7e';

describe('requests', () => {
  itIsAccepted(setting, by(withTemplates(described), described), {
    send_email: [
      [{ ...least, ...note }, sent({ ...sentLeast, ...sentNote })],
      [{ ...least, ...note, format: 'text/plain' }, sent({ ...sentLeast, ...sentNote })],
      [{ ...most, ...page }, sent({ personalizations: [personalization], ...sentMost, ...sentPage })],
    ],
    send_template: [
      [{ ...least, template }, sent({ ...sentLeast, template_id: template })],
      [
        { ...most, template, data: { name: 'Ann' } },
        sent({
          personalizations: [{ ...personalization, dynamic_template_data: { name: 'Ann' } }],
          ...{ ...sentMost, template_id: template },
        }),
      ],
    ],
    schedule_email: [
      [
        { ...least, ...note, send_at: '2026-01-01T01:00:00+01:00' },
        'POST /v3/mail/batch',
        sent({ ...sentLeast, ...sentNote, send_at: 1_767_225_600, batch_id }),
      ],
      [
        { ...least, ...note, format: 'text/plain', send_at: '2026-01-01T01:00:00+01:00' },
        'POST /v3/mail/batch',
        sent({ ...sentLeast, ...sentNote, send_at: 1_767_225_600, batch_id }),
      ],
      [
        { ...most, ...page, send_at: '2026-01-01T00:00:00.9Z' },
        'POST /v3/mail/batch',
        sent({ personalizations: [personalization], ...sentMost, ...sentPage, send_at: 1_767_225_600, batch_id }),
      ],
    ],
    cancel_scheduled: [[{ batch_id }, `POST /v3/user/scheduled_sends {"batch_id":"${batch_id}","status":"cancel"}`]],
    add_contacts: [
      [
        { contacts: [{ email: 'ann@acme.example' }] },
        'PUT /v3/marketing/contacts {"contacts":[{"email":"ann@acme.example"}]}',
      ],
      [
        { contacts: [contact], list_ids: [list] },
        `PUT /v3/marketing/contacts ${JSON.stringify({ list_ids: [list], contacts: [contact] })}`,
      ],
    ],
    get_import: [[{ job_id: 'job_1' }, 'GET /v3/marketing/contacts/imports/job_1']],
    search_contacts: [[{ query: "email LIKE 'a%'" }, `POST /v3/marketing/contacts/search {"query":"email LIKE 'a%'"}`]],
    create_list: [[{ name: 'News' }, 'POST /v3/marketing/lists {"name":"News"}']],
    add_suppression: [
      [{ emails: ['ann@acme.example'] }, 'POST /v3/asm/suppressions/global {"recipient_emails":["ann@acme.example"]}'],
      [
        { emails: ['ann@acme.example'], group: '17' },
        'POST /v3/asm/groups/17/suppressions {"recipient_emails":["ann@acme.example"]}',
      ],
    ],
    remove_suppression: [
      [{ email: 'a/b@acme.example' }, 'DELETE /v3/asm/suppressions/global/a%2Fb%40acme.example'],
      [{ email: 'ann@acme.example', group: '17' }, 'DELETE /v3/asm/groups/17/suppressions/ann%40acme.example'],
    ],
    get_stats: [
      [{ start_date: '2026-01-01' }, 'GET /v3/stats?start_date=2026-01-01'],
      [
        { start_date: '2026-01-01', end_date: '2026-01-31', aggregated_by: 'week' },
        'GET /v3/stats?start_date=2026-01-01&end_date=2026-01-31&aggregated_by=week',
      ],
    ],
    validate_email: [
      [{ email: 'ann@acme.example' }, 'POST /v3/validations/email {"email":"ann@acme.example"}'],
      [
        { email: 'ann@acme.example', source: 'signup' },
        'POST /v3/validations/email {"email":"ann@acme.example","source":"signup"}',
      ],
    ],
  });
});

/** The description requires the subject and the content even for a template, although its text states that a template overrides them. */
function withTemplates(description: Description): Description {
  const copy = structuredClone(description) as { operations: Record<string, { body?: { schema: JsonObject } }> };
  const schema = copy.operations['POST /mail/send']?.body?.schema;
  if (schema) schema['required'] = ['personalizations', 'from', 'template_id'];
  return copy as unknown as Description;
}

it('returns the ids of an email and of its batch', async () => {
  const message_id = 'Xet6bZ7WRTG2fYDa-p7arw';
  expect((await runPiece(setting, 'send_email', { ...least, ...note })).output).toEqual({ message_id });
  expect((await runPiece(setting, 'send_template', { ...least, template })).output).toEqual({ message_id });
  const scheduled = await runPiece(setting, 'schedule_email', { ...least, ...note, send_at: '2026-01-01T00:00:00Z' });
  expect(scheduled.output).toEqual({ message_id, batch_id });
});

it('schedules nothing without a batch, because nothing could cancel it', async () => {
  const asked: string[] = [];
  const none = ({ url }: Recorded) => (asked.push(url), json({}, 201));
  const input = { ...least, ...note, send_at: '2026-01-01T00:00:00Z' };
  await expect(runPiece({ ...setting, reply: none }, 'schedule_email', input)).rejects.toThrow('a batch without an id');
  expect(asked).toEqual(['/v3/mail/batch']);
});

it('refuses two plain texts', async () => {
  const sending = runPiece(setting, 'send_email', { ...least, ...note, plain_text: 'Hello' });
  await expect(sending).rejects.toMatchObject({ name: 'InputError', property: 'plain_text' });
});

it('returns the part of a response that matters', async () => {
  const metrics = { delivered: 3, unique_opens: 2 };
  const replies: Record<string, unknown> = {
    '/v3/stats?start_date=2026-01-01': [{ date: '2026-01-01', stats: [{ metrics }] }],
    '/v3/marketing/contacts/search': { result: [{ id: 'c1' }], contact_count: 1, _metadata: {} },
    '/v3/validations/email': { result: { email: 'ann@acme.example', verdict: 'Valid', score: 0.9 } },
  };
  const shaped = { ...setting, reply: ({ url }: Recorded) => json(replies[url]) };
  const outputOf = async (action: string, input: JsonObject) => (await runPiece(shaped, action, input)).output;
  expect(await outputOf('get_stats', { start_date: '2026-01-01' })).toEqual({
    items: [{ date: '2026-01-01', delivered: 3, unique_opens: 2 }],
  });
  expect(await outputOf('search_contacts', { query: 'x' })).toEqual({ items: [{ id: 'c1' }] });
  expect(await outputOf('validate_email', { email: 'ann@acme.example' })).toMatchObject({ verdict: 'Valid' });
});

describe('options', () => {
  const next = 'https://api.sendgrid.com/v3/marketing/lists?page_size=300&page_token=2';
  const lists: Record<string, unknown> = {
    '/v3/verified_senders': {
      results: [
        { id: 1, from_email: 'orders@acme.example', from_name: 'Orders', verified: true },
        { id: 2, from_email: 'plain@acme.example', from_name: '', verified: true },
        { id: 3, from_email: 'new@acme.example', from_name: 'New', verified: false },
      ],
    },
    '/v3/templates?generations=dynamic&page_size=200': {
      result: [{ id: template, name: 'Welcome', generation: 'dynamic' }],
      _metadata: { count: 1, self: 'https://api.sendgrid.com/v3/templates' },
    },
    '/v3/marketing/lists?page_size=300': { result: [{ id: list, name: 'News' }], _metadata: { next } },
    '/v3/marketing/lists?page_size=300&page_token=2': { result: [{ id: 'l2', name: 'Offers' }], _metadata: {} },
    '/v3/asm/groups': [{ id: 17, name: 'Invoices', description: 'All invoices' }],
  };
  const offers = { ...setting, reply: ({ url }: Recorded) => json(lists[url]) };

  it.each<[string, string, string[][]]>([
    [
      'send_email',
      'from',
      [
        ['Orders <orders@acme.example>', 'orders@acme.example'],
        ['plain@acme.example', 'plain@acme.example'],
      ],
    ],
    ['send_template', 'template', [['Welcome', template]]],
    [
      'add_contacts',
      'list_ids',
      [
        ['News', list],
        ['Offers', 'l2'],
      ],
    ],
    ['send_email', 'unsubscribe_group', [['Invoices', '17']]],
    ['add_suppression', 'group', [['Invoices', '17']]],
  ])('of %s list each %s', async (action, property, expected) => {
    const { output, received } = await optionsOf(offers, [action, property]);
    expect(output.options.map(({ label, value }) => [label, value])).toEqual(expected);
    expect(received.flatMap(by(described))).toEqual([]);
  });
});

describe('a failure', () => {
  const failWith = async (status: number, error: JsonObject, headers: Record<string, string> = {}) => {
    const failing = { ...setting, reply: () => json({ errors: [error] }, status, headers) };
    const thrown = await runPiece(failing, 'send_email', { ...least, ...note }).catch((error: unknown) => error);
    if (!(thrown instanceof ProviderError)) throw thrown;
    return thrown;
  };

  it('has the message of SendGrid and its field', async () => {
    const error = { message: 'Does not contain a valid address.', field: 'personalizations.0.to.0.email', help: 'x' };
    expect(await failWith(400, error)).toMatchObject({
      status: 400,
      message: 'personalizations.0.to.0.email: Does not contain a valid address.',
      retryable: false,
    });
  });

  it('means a refused key only if the key is refused, not if the credits are used up', async () => {
    const messages = [
      'authorization required',
      'The provided authorization grant is invalid, expired, or revoked',
      'Maximum credits exceeded',
    ];
    const thrown = await Promise.all(messages.map((message) => failWith(401, { message, field: null })));
    expect(thrown.map((error) => isCredentialRefused(sendgrid, error))).toEqual([true, true, false]);
    expect(thrown[2]).toMatchObject({ message: 'Maximum credits exceeded', code: undefined });
  });

  it('says when the rate limit ends', async () => {
    const date = new Date(1_767_225_000_000).toUTCString();
    const headers = { date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225600' };
    const limited = await failWith(429, { message: 'too many requests', field: null }, headers);
    expect(limited).toMatchObject({ message: 'too many requests', retryable: true, retryAfter: 600 });
  });
});

it('checks a key by its scopes', async () => {
  const { received, send, close } = await startThirdParty(() => json({ scopes: ['mail.send'] }));
  await testCredential(sendgrid, { credential, send }).finally(close);
  expect(received.map(({ method, url, headers }) => [method, url, headers['authorization']])).toEqual([
    ['GET', '/v3/scopes', 'Bearer SG.canary'],
  ]);
  expect(received.flatMap(by(described))).toEqual([]);
});
