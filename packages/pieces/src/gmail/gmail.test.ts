import {
  InputError,
  isCredentialRefused,
  type ProviderError,
  type JsonObject,
  type JsonValue,
} from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { readMime } from '../../testing/read-mime.js';
import { json, optionsOf, runPiece } from '../../testing/run-piece.js';
import { asGmail, base64url, message } from '../../testing/vendors/gmail.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { gmail } from './index.js';

const check = by(readDescription('gmail'));
const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;
const setting = { piece: gmail, credential, reply: asGmail() };
const at = '/gmail/v1/users/me';

const mime = (...lines: string[]): string => base64url([...lines, ''].join('\r\n'));
const textPart = ['Content-Type: text/plain; charset=UTF-8', 'Content-Transfer-Encoding: base64', '', 'SGk='];
const plain = mime('To: ann@acme.example', 'Subject: Hello', 'MIME-Version: 1.0', ...textPart);
const full = {
  ...{ cc: ['bo@acme.example'], bcc: ['cy@acme.example'], from: 'me@acme.example', fromName: 'Me', html: '<b>Hi</b>' },
  attachments: [{ filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' }],
};
const fullMime = (subject: string, ...more: string[]): string =>
  mime(
    ...['From: Me', ' <me@acme.example>', 'To: ann@acme.example', 'Cc: bo@acme.example', 'Bcc: cy@acme.example'],
    ...[`Subject: ${subject}`, ...more, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="=_mixed"', ''],
    ...[
      '--=_mixed',
      'Content-Type: multipart/alternative; boundary="=_alternative"',
      '',
      '--=_alternative',
      ...textPart,
    ],
    ...['--=_alternative', 'Content-Type: text/html; charset=UTF-8', 'Content-Transfer-Encoding: base64', ''],
    ...[
      'PGI+SGk8L2I+',
      '--=_alternative--',
      '--=_mixed',
      'Content-Type: text/plain',
      'Content-Disposition: attachment;',
    ],
    ...[' filename="a.txt"', 'Content-Transfer-Encoding: base64', '', 'aGk=', '--=_mixed--'],
  );
const inThread = ['In-Reply-To: <m1@mail.example>', 'References: <m0@mail.example>', ' <m1@mail.example>'];
const re = ['Subject: =?UTF-8?B?UmU6IEdyw7zDn2U=?=', ...inThread];
const to = ['ann@acme.example'];
const mail = { to, subject: 'Hello', text: 'Hi' };
const { to: _to, ...draft } = mail;
const ofMessage = { messageId: 'm1', to, text: 'Hi' };
const original = `GET ${at}/messages/m1?format=metadata`;

describe('requests', () => {
  itIsAccepted(setting, check, {
    send_email: [
      [mail, `POST ${at}/messages/send {"raw":"${plain}"}`],
      [{ ...mail, ...full }, `POST ${at}/messages/send {"raw":"${fullMime('Hello')}"}`],
    ],
    reply: [
      [
        ofMessage,
        original,
        `POST ${at}/messages/send {"raw":"${mime('To: ann@acme.example', ...re, 'MIME-Version: 1.0', ...textPart)}","threadId":"t1"}`,
      ],
      [
        { ...ofMessage, ...full },
        original,
        `POST ${at}/messages/send {"raw":"${fullMime('=?UTF-8?B?UmU6IEdyw7zDn2U=?=', ...inThread)}","threadId":"t1"}`,
      ],
    ],
    create_draft: [
      [draft, `POST ${at}/drafts {"message":{"raw":"${mime('Subject: Hello', 'MIME-Version: 1.0', ...textPart)}"}}`],
      [
        { ...mail, ...full, messageId: 'm1' },
        original,
        `POST ${at}/drafts {"message":{"raw":"${fullMime('=?UTF-8?B?UmU6IEdyw7zDn2U=?=', ...inThread)}","threadId":"t1"}}`,
      ],
    ],
    send_draft: [
      [
        { draftId: 'r1', to: ['bo@acme.example', 'Cy@acme.example', 'di@acme.example', 'more@acme.example'] },
        `GET ${at}/drafts/r1?format=metadata`,
        `POST ${at}/drafts/send {"id":"r1"}`,
      ],
    ],
    search_messages: [
      [{}, `GET ${at}/messages?maxResults=10`, original, `GET ${at}/messages/m2?format=metadata`],
      [
        {
          q: 'from:ann is:unread',
          labelIds: ['INBOX', 'Label_1'],
          limit: 50,
          withBodies: true,
          pageToken: 'p2',
          includeSpamTrash: true,
        },
        `GET ${at}/messages?q=from%3Aann+is%3Aunread&labelIds=INBOX&labelIds=Label_1&pageToken=p2&includeSpamTrash=true&maxResults=50`,
        `GET ${at}/messages/m1?format=full`,
        `GET ${at}/messages/m2?format=full`,
      ],
    ],
    get_message: [[{ messageId: 'm1' }, `GET ${at}/messages/m1?format=full`]],
    get_thread: [[{ threadId: 't1' }, `GET ${at}/threads/t1?format=full`]],
    get_attachment: [
      [
        { messageId: 'm1', attachmentId: '1' },
        `GET ${at}/messages/m1?format=full`,
        `GET ${at}/messages/m1/attachments/ANGjdJ8`,
      ],
      [{ messageId: 'm1', attachmentId: '2' }, `GET ${at}/messages/m1?format=full`],
    ],
    add_labels: [
      [{ messageId: 'm1', labelIds: ['STARRED'] }, `POST ${at}/messages/m1/modify {"addLabelIds":["STARRED"]}`],
    ],
    remove_labels: [
      [{ messageId: 'm1', labelIds: ['UNREAD'] }, `POST ${at}/messages/m1/modify {"removeLabelIds":["UNREAD"]}`],
    ],
    archive: [[{ messageId: 'm1' }, `POST ${at}/messages/m1/modify {"removeLabelIds":["INBOX"]}`]],
    trash: [[{ messageId: 'm1' }, `POST ${at}/messages/m1/trash`]],
  });
});

const run = async (name: string, input: JsonObject, replies: Record<string, JsonValue> = {}) =>
  (await runPiece({ ...setting, reply: asGmail(replies) }, name, input)).output;

const summary = {
  ...{ id: 'm1', threadId: 't1', labelIds: ['INBOX'], from: { name: 'Doe, Ann', address: 'ann@acme.example' } },
  replyTo: [{ name: '', address: 'desk@acme.example' }],
  to: [
    { name: '', address: 'bo@acme.example' },
    { name: 'Cy', address: 'cy@acme.example' },
  ],
  ...{
    cc: [{ name: '', address: 'di@acme.example' }],
    subject: 'Grüße',
    date: '2026-01-31T09:00:00.000Z',
    snippet: 'Hello',
  },
};
const attachments = [
  { id: '1', filename: 'offer.pdf', mimeType: 'application/pdf', size: 3 },
  { id: '2', filename: 'note.txt', mimeType: 'text/plain', size: 2 },
];

/** Returns a message that consists of one part. */
const single = (part: JsonObject): JsonObject => message('m1', { payload: { partId: '', filename: '', ...part } });
const data = (text: string | Uint8Array): JsonObject => ({ size: 1, data: base64url(text) });
const read = (part: JsonObject) => run('get_message', { messageId: 'm1' }, { 'GET messages/m1': single(part) });

describe('a message', () => {
  it('has addresses, bodies and attachments, and no raw payload', async () => {
    const bodies = { text: 'Hallö', html: '<b>Hallö</b>', isCut: false };
    expect(await run('get_message', { messageId: 'm1' })).toEqual({ ...summary, ...bodies, attachments });
  });

  it('has only its summary in a search, and a short text with bodies', async () => {
    const list = { 'GET messages': { messages: [{ id: 'm1' }] } };
    expect(await run('search_messages', {}, list)).toEqual({ items: [summary], nextPageToken: null });
    expect(await run('search_messages', { withBodies: true }, list)).toMatchObject({
      items: [{ ...summary, text: 'Hallö', html: null, attachments }],
    });
    expect(await run('search_messages', {})).toMatchObject({ nextPageToken: 'p2' });
    expect(await run('search_messages', {}, { 'GET messages': { resultSizeEstimate: 0 } })).toEqual({
      items: [],
      nextPageToken: null,
    });
  });

  it('is left out of a search if it was deleted meanwhile', async () => {
    const reply: typeof setting.reply = (request) =>
      request.url.includes('/m1?')
        ? json({ error: { code: 404, message: 'Requested entity was not found.' } }, 404)
        : asGmail()(request);
    const { output } = await runPiece({ ...setting, reply }, 'search_messages', {});
    expect(output).toMatchObject({ items: [{ id: 'm2' }] });
  });

  it('is one of a thread', async () => {
    const found = await run('get_thread', { threadId: 't1' });
    expect(found).toMatchObject({ id: 't1', messages: [{ id: 'm1', text: 'Hallö', html: null }, { id: 'm2' }] });
  });

  it('is read in its charset', async () => {
    const headers = (charset: string) => [{ name: 'Content-Type', value: `text/plain; charset="${charset}"` }];
    const latin = { mimeType: 'text/plain', headers: headers('ISO-8859-1'), body: data(Uint8Array.of(0x47, 0xfc)) };
    const japanese = Uint8Array.of(0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42);
    expect(await read(latin)).toMatchObject({ text: 'Gü' });
    expect(await read({ ...latin, body: data('Gü') })).toMatchObject({ text: 'Gü' });
    expect(await read({ ...latin, headers: headers('iso-2022-jp'), body: data(japanese) })).toMatchObject({
      text: '日',
    });
    expect(await read({ ...latin, headers: headers('x-unknown') })).toMatchObject({ text: 'G\ufffd' });
  });

  it('has its HTML if it has no text, also in a list', async () => {
    const html = single({ mimeType: 'text/html', body: data('<p>Hi</p>') });
    const found = await run('get_thread', { threadId: 't1' }, { 'GET threads/t1': { id: 't1', messages: [html] } });
    expect(found).toMatchObject({ messages: [{ text: null, html: '<p>Hi</p>', isCut: false }] });
  });

  it('is cut between characters', async () => {
    const long = {
      'GET threads/t1': {
        id: 't1',
        messages: [single({ mimeType: 'text/plain', body: data(`${'a'.repeat(19_999)}😀`) })],
      },
    };
    expect(await run('get_thread', { threadId: 't1' }, long)).toMatchObject({
      messages: [{ text: 'a'.repeat(19_999), isCut: true }],
    });
  });

  it('can be a single file', async () => {
    const pdf = { mimeType: 'application/pdf', filename: 'a.pdf', body: data('%PDF') };
    expect(await read(pdf)).toMatchObject({ text: null, attachments: [{ id: 'root', filename: 'a.pdf' }] });
    const file = await run(
      'get_attachment',
      { messageId: 'm1', attachmentId: 'root' },
      { 'GET messages/m1': single(pdf) },
    );
    expect(file).toEqual({ filename: 'a.pdf', mimeType: 'application/pdf', base64: 'JVBERg==' });
  });
});

describe('an attachment', () => {
  it('is returned as a file', async () => {
    const file = await run('get_attachment', { messageId: 'm1', attachmentId: '1' });
    expect(file).toEqual({ filename: 'offer.pdf', mimeType: 'application/pdf', base64: '//79' });
  });

  it.each(['0', '0.0', '9'])('is not the part %s', async (attachmentId) => {
    await expect(run('get_attachment', { messageId: 'm1', attachmentId })).rejects.toThrow(InputError);
  });
});

describe('a reply', () => {
  const replyTo = async (headers: [string, string][]) => {
    const payload = { headers: headers.map(([name, value]) => ({ name, value })) };
    const { received } = await runPiece(
      { ...setting, reply: asGmail({ 'GET messages/m1': message('m1', { payload }) }) },
      'reply',
      ofMessage,
    );
    return readMime(Buffer.from((JSON.parse(received[1]?.body ?? '') as { raw: string }).raw, 'base64url').toString())
      .headers;
  };

  it.each([
    ['Re: Offer', 'Re: Offer'],
    ['RE: Offer', 'RE: Offer'],
    ['Offer\r\nBcc: eve@evil.example', 'Re: Offer Bcc: eve@evil.example'],
  ])('to %j has the subject %j', async (subject, expected) => {
    expect(await replyTo([['Subject', subject]])).toMatchObject({ subject: expected });
  });

  it('names the message before it, and no text that is no id', async () => {
    const headers = await replyTo([
      ['Message-Id', ' <m1@x>'],
      ['In-Reply-To', '<m0@x> (Ann)\r\nBcc: eve@evil.example <ü@x>'],
    ]);
    expect(headers).toMatchObject({ 'in-reply-to': '<m1@x>', references: '<m0@x> <m1@x>' });
    expect(await replyTo([])).not.toHaveProperty('references');
  });

  it('names the first and the newest messages of a long thread', async () => {
    const ids = Array.from({ length: 500 }, (_, index) => `<m${index}@x>`);
    const headers = await replyTo([
      ['Message-ID', '<m500@x>'],
      ['References', ids.join(' ')],
    ]);
    expect(headers['references']?.split(' ')).toEqual(['<m0@x>', ...ids.slice(-19), '<m500@x>']);
  });
});

describe('a draft', () => {
  const sendTo = (to: string[], headers: [string, string][]) => {
    const payload = { headers: headers.map(([name, value]) => ({ name, value })) };
    return run(
      'send_draft',
      { draftId: 'r1', to },
      { 'GET drafts/r1': { id: 'r1', message: message('m1', { payload }) } },
    );
  };

  it.each<[[string, string][], string, string]>([
    [
      [
        ['To', 'ann@acme.example'],
        ['Bcc', 'Eve <eve@evil.example>'],
      ],
      'to',
      'eve@evil.example',
    ],
    [
      [
        ['To', 'ann@acme.example'],
        ['to', 'eve@evil.example'],
      ],
      'to',
      'eve@evil.example',
    ],
    [[['CC', '"ann@acme.example" <eve@evil.example>']], 'to', 'eve@evil.example'],
    [[['To', '"eve x"@evil.example']], 'draftId', 'cannot be compared'],
  ])('with the headers %j is not sent', async (headers, property, text) => {
    await expect(sendTo(to, headers)).rejects.toMatchObject({ property, message: expect.stringContaining(text) });
  });

  it('is sent to the recipients that the input names', async () => {
    expect(await sendTo(to, [['To', 'Ann <ANN@acme.example>']])).toMatchObject({ id: 'm9' });
  });
});

describe('options', () => {
  const offered = (action: string, property: string, input: JsonObject = {}, search?: string) =>
    optionsOf(setting, [action, property], input, search);

  it.each<[string, string, JsonObject, { label: string; value: string }[]]>([
    [
      'add_labels',
      'labelIds',
      {},
      [
        { label: 'INBOX', value: 'INBOX' },
        { label: 'Offers', value: 'Label_1' },
      ],
    ],
    ['send_email', 'from', {}, [{ label: 'me@acme.example', value: 'me@acme.example' }]],
    [
      'get_attachment',
      'attachmentId',
      { messageId: 'm1' },
      [
        { label: 'offer.pdf', value: '1' },
        { label: 'note.txt', value: '2' },
      ],
    ],
    [
      'send_draft',
      'draftId',
      {},
      [{ label: 'Grüße · "Doe, Ann" <ann@acme.example> · bo@acme.example, Cy <cy@acme.example>', value: 'r1' }],
    ],
  ])('of %s list %s', async (action, property, input, options) => {
    const { output, received } = await offered(action, property, input);
    expect(output).toEqual({ options, disabled: false });
    expect(received.flatMap(check)).toEqual([]);
  });

  it('find messages by the search of Gmail', async () => {
    const { output, asked, received } = await offered('get_message', 'messageId', {}, 'ann');
    expect(asked[0]).toBe(`GET ${at}/messages?q=ann&maxResults=15`);
    expect(output.options.map(({ value }) => value)).toEqual(['m1', 'm2']);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('of attachments are disabled until a message is selected', async () => {
    expect(await offered('get_attachment', 'attachmentId')).toMatchObject({ output: { disabled: true }, asked: [] });
  });
});

describe('failures', () => {
  const failWith = async (error: object, status: number): Promise<ProviderError> => {
    const sent = runPiece({ ...setting, reply: () => json({ error }, status) }, 'send_email', mail);
    return sent.then(
      () => Promise.reject(new Error('The email was sent')),
      (thrown: ProviderError) => thrown,
    );
  };

  it.each<[string, object, number, object]>([
    [
      'a refusal',
      { code: 400, message: 'Invalid To header', errors: [{ reason: 'invalidArgument' }], status: 'INVALID_ARGUMENT' },
      400,
      { code: 'invalidArgument', message: 'Invalid To header', retryable: false },
    ],
    [
      'a limit',
      {
        code: 403,
        message: 'User Rate Limit Exceeded',
        errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }],
      },
      403,
      { code: 'userRateLimitExceeded', retryable: true, retryAfter: 1 },
    ],
    [
      'a limit with a status',
      { code: 403, message: 'Quota', errors: [{ reason: 'rateLimitExceeded' }], status: 'PERMISSION_DENIED' },
      403,
      { code: 'rateLimitExceeded', retryable: true },
    ],
    [
      'a missing scope',
      {
        code: 403,
        message: 'Insufficient Permission',
        errors: [{ reason: 'insufficientPermissions' }],
        status: 'PERMISSION_DENIED',
      },
      403,
      { code: 'insufficientPermissions', retryable: false },
    ],
    [
      'the limit of sending',
      { code: 429, message: 'User-rate limit exceeded.', status: 'RESOURCE_EXHAUSTED' },
      429,
      { retryable: true },
    ],
  ])('state %s with its code and message', async (_, error, status, expected) => {
    expect(await failWith(error, status)).toMatchObject({ name: 'ProviderError', status, ...expected });
  });

  it('refuse the credential only with 401', async () => {
    expect(isCredentialRefused(gmail, await failWith({ code: 401, errors: [{ reason: 'authError' }] }, 401))).toBe(
      true,
    );
    expect(
      isCredentialRefused(gmail, await failWith({ code: 403, errors: [{ reason: 'insufficientPermissions' }] }, 403)),
    ).toBe(false);
  });
});

it('asks for one scope, which every request accepts', () => {
  expect(gmail.auth?.oauth2?.scopes).toEqual(['https://www.googleapis.com/auth/gmail.modify']);
  expect(gmail.auth?.test).toBe(`${at}/profile`);
});
