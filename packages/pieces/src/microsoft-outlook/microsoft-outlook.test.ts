import { type JsonObject, testCredential } from '@drawbridge/piece-kit';
import { toGraphNotation } from '../../testing/graph-notation.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece, type Setting } from '../../testing/run-piece.js';
import { type Recorded, startThirdParty } from '../../testing/third-party.js';
import { by, type Calls, type Check, itIsAccepted } from '../../testing/witness.js';
import { microsoftOutlook } from './index.js';

const described = by(readDescription('microsoft-outlook'));
const check: Check = (request: Recorded) => described(toGraphNotation(request));
const credential = { type: 'OAUTH2', accessToken: 'eyJ_canary', tokenType: 'Bearer' } as const;
const setting = { piece: microsoftOutlook, credential };
const run = (name: string, input: JsonObject, reply?: Setting['reply']) => runPiece({ ...setting, reply }, name, input);

const ME = '/v1.0/me';
const messageId = 'AAMkAGI2-_=';
const folderId = 'AQMkADYA=';
const [ann, bob, eve] = ['ann@acme.example', 'bob@acme.example', 'eve@acme.example'];
const one = (address: string): string => `[{"emailAddress":{"address":"${address}"}}]`;
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const attached =
  '[{"@odata.type":"#microsoft.graph.fileAttachment","name":"a.txt","contentType":"text/plain","contentBytes":"aGk="}]';
const draft = { subject: 'Lunch?', body: '<b>12</b>', bodyType: 'html', cc: [bob], bcc: [eve], importance: 'high' };
const draftJson =
  `{"subject":"Lunch?","body":{"contentType":"html","content":"<b>12</b>"},"toRecipients":${one(ann)},` +
  `"ccRecipients":${one(bob)},"bccRecipients":${one(eve)},"importance":"high","attachments":${attached}}`;

const MESSAGE =
  'id%2Csubject%2Cfrom%2CtoRecipients%2CccRecipients%2CreceivedDateTime%2CisRead%2ChasAttachments' +
  '%2Cimportance%2CbodyPreview%2CconversationId%2CparentFolderId%2CwebLink';
const BODY = '%2Cbody%2CbccRecipients%2CreplyTo%2CsentDateTime%2CinternetMessageId%2CisDraft%2Ccategories';
const EVENT =
  'id%2Csubject%2CbodyPreview%2Cstart%2Cend%2CisAllDay%2Clocation%2Corganizer%2Cattendees%2CshowAs' +
  '%2CisCancelled%2Ctype%2CseriesMasterId%2ConlineMeeting%2CwebLink';
const newest = `%24select=${MESSAGE}&%24orderby=receivedDateTime+desc&%24filter=receivedDateTime+ge+`;
const period = { start: '2026-01-31T09:00:00+01:00', end: '2026-02-01T00:00:00Z' };
const view =
  'calendarView?startDateTime=2026-01-31T09%3A00%3A00%2B01%3A00&endDateTime=2026-02-01T00%3A00%3A00Z' +
  `&%24select=${EVENT}&%24orderby=start%2FdateTime`;

const calls: Calls = {
  send_mail: [
    [
      { to: [ann], subject: 'Lunch?', body: 'At 12' },
      `POST ${ME}/sendMail {"message":{"subject":"Lunch?","body":{"contentType":"text","content":"At 12"},"toRecipients":${one(ann)}}}`,
    ],
    [
      { to: [ann], ...draft, attachments: [file], saveToSentItems: false },
      `POST ${ME}/sendMail {"message":${draftJson},"saveToSentItems":false}`,
    ],
  ],
  reply: [
    [{ messageId }, `POST ${ME}/messages/AAMkAGI2-_%3D/reply {"comment":""}`],
    [
      { messageId, comment: 'Yes', replyAll: true, to: [bob] },
      `POST ${ME}/messages/AAMkAGI2-_%3D/replyAll {"comment":"Yes","message":{"toRecipients":${one(bob)}}}`,
    ],
  ],
  forward: [
    [{ messageId, to: [bob] }, `POST ${ME}/messages/AAMkAGI2-_%3D/forward {"comment":"","toRecipients":${one(bob)}}`],
    [
      { messageId, to: [bob], comment: 'See' },
      `POST ${ME}/messages/AAMkAGI2-_%3D/forward {"comment":"See","toRecipients":${one(bob)}}`,
    ],
  ],
  create_draft: [
    [
      { subject: 'Lunch?', body: 'At 12' },
      `POST ${ME}/messages {"subject":"Lunch?","body":{"contentType":"text","content":"At 12"}}`,
    ],
    [{ to: [ann], ...draft, attachments: [file] }, `POST ${ME}/messages ${draftJson}`],
  ],
  list_messages: [
    [{}, `GET ${ME}/mailFolders/inbox/messages?${newest}1900-01-01T00%3A00%3A00.000Z&%24top=25`],
    [
      {
        ...{ folderId, unreadOnly: true, from: "o'neil@acme.example" },
        ...{ since: '2026-01-31T01:00:00+01:00', before: '2026-02-01T00:00:00Z', limit: 3 },
      },
      `GET ${ME}/mailFolders/AQMkADYA%3D/messages?${newest}2026-01-31T00%3A00%3A00.000Z+and+receivedDateTime+lt+2026-02-01T00%3A00%3A00.000Z` +
        '+and+isRead+eq+false+and+from%2FemailAddress%2Faddress+eq+%27o%27%27neil%40acme.example%27&%24top=3',
    ],
  ],
  get_message: [
    [{ messageId }, `GET ${ME}/messages/AAMkAGI2-_%3D?%24select=${MESSAGE}${BODY}`],
    [{ messageId, bodyType: 'html' }, `GET ${ME}/messages/AAMkAGI2-_%3D?%24select=${MESSAGE}${BODY}`],
  ],
  search: [
    [{ query: 'invoice' }, `GET ${ME}/messages?%24select=${MESSAGE}&%24search=%22invoice%22&%24top=25`],
    [
      { query: 'subject:"the end"', folderId, limit: 500 },
      `GET ${ME}/mailFolders/AQMkADYA%3D/messages?%24select=${MESSAGE}&%24search=%22subject%3A%5C%22the+end%5C%22%22&%24top=100`,
    ],
  ],
  move: [[{ messageId, folderId }, `POST ${ME}/messages/AAMkAGI2-_%3D/move {"destinationId":"AQMkADYA="}`]],
  get_attachment: [[{ messageId, attachmentId: 'AAM=' }, `GET ${ME}/messages/AAMkAGI2-_%3D/attachments/AAM%3D`]],
  create_event: [
    [
      { subject: 'Lunch', start: '2026-01-31T12:00', end: '2026-01-31T13:00:00' },
      `POST ${ME}/events {"subject":"Lunch","start":{"dateTime":"2026-01-31T12:00:00","timeZone":"UTC"},` +
        '"end":{"dateTime":"2026-01-31T13:00:00","timeZone":"UTC"},"isAllDay":false}',
    ],
    [
      {
        ...{ subject: 'Trip', start: '2026-01-31', end: '2026-02-02', timeZone: 'Europe/Berlin', isAllDay: true },
        ...{ attendees: [ann], optionalAttendees: [bob], location: 'Ulm', body: '<i>By train</i>', bodyType: 'html' },
        ...{ isOnlineMeeting: true, reminderMinutesBeforeStart: 60, showAs: 'oof', calendarId: 'AQ=' },
      },
      `POST ${ME}/calendars/AQ%3D/events {"subject":"Trip","start":{"dateTime":"2026-01-31T00:00:00","timeZone":"Europe/Berlin"},` +
        '"end":{"dateTime":"2026-02-02T00:00:00","timeZone":"Europe/Berlin"},"isAllDay":true,"location":{"displayName":"Ulm"},' +
        '"body":{"contentType":"html","content":"<i>By train</i>"},' +
        `"attendees":[{"emailAddress":{"address":"${ann}"},"type":"required"},{"emailAddress":{"address":"${bob}"},"type":"optional"}],` +
        '"isOnlineMeeting":true,"reminderMinutesBeforeStart":60,"showAs":"oof"}',
    ],
  ],
  list_events: [
    [period, `GET ${ME}/${view}&%24top=25`],
    [
      { ...period, calendarId: 'AQ=', timeZone: 'Pacific Standard Time', limit: 7 },
      `GET ${ME}/calendars/AQ%3D/${view}&%24top=7`,
    ],
  ],
  find_free_times: [
    [
      { people: [ann], ...period },
      `POST ${ME}/calendar/getSchedule {"schedules":["${ann}"],"startTime":{"dateTime":"2026-01-31T08:00:00","timeZone":"UTC"},` +
        '"endTime":{"dateTime":"2026-02-01T00:00:00","timeZone":"UTC"},"availabilityViewInterval":15}',
    ],
    [
      { people: [ann, bob], ...period, durationMinutes: 10 },
      `POST ${ME}/calendar/getSchedule {"schedules":["${ann}","${bob}"],"startTime":{"dateTime":"2026-01-31T08:00:00","timeZone":"UTC"},` +
        '"endTime":{"dateTime":"2026-02-01T00:00:00","timeZone":"UTC"},"availabilityViewInterval":10}',
    ],
  ],
};

const fileAttachment = {
  '@odata.type': '#microsoft.graph.fileAttachment',
  ...{ name: 'a.txt', contentType: 'text/plain', contentBytes: 'aGk=' },
};
const reply: Setting['reply'] = ({ url }) => json(/attachments\/[^/]+$/.test(url) ? fileAttachment : {});
itIsAccepted({ ...setting, reply }, check, calls);

it('authenticates, and asks for ids that stay the same', async () => {
  const { received } = await run('list_messages', {});
  expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer eyJ_canary', prefer: 'IdType="ImmutableId"' });
});

it('asks for the permissions of its actions', () => {
  const scopes = ['offline_access', 'User.Read', 'Mail.ReadWrite', 'Mail.Send', 'Calendars.ReadWrite'];
  expect(microsoftOutlook.auth?.oauth2?.scopes).toEqual(scopes);
});

it('checks a credential by reading its user', async () => {
  const { received, send, close } = await startThirdParty(() => json({ id: '1' }));
  await testCredential(microsoftOutlook, { credential, send }).finally(close);
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1.0/me']);
});

describe('a list', () => {
  it('continues with the next page, up to its limit, and leaves out annotations', async () => {
    const page = (ids: string[], next?: string) =>
      json({
        value: ids.map((id) => ({ '@odata.etag': 'W/"1"', id })),
        ...(next && { '@odata.nextLink': `https://graph.microsoft.com/v1.0/me/messages?$skip=${next}` }),
      });
    const { output, asked } = await run('search', { query: 'a', limit: 3 }, ({ url }) =>
      url.includes('$skip=2') ? page(['3', '4'], '4') : page(['1', '2'], '2'),
    );
    expect(output).toEqual({ items: [{ id: '1' }, { id: '2' }, { id: '3' }] });
    expect(asked.slice(1)).toEqual([`GET ${ME}/messages?$skip=2`]);
  });

  it('does not follow a next page to another origin', async () => {
    const body = { value: [], '@odata.nextLink': 'https://evil.example/v1.0/me/messages' };
    await expect(run('search', { query: 'a' }, () => json(body))).rejects.toThrow('at another origin');
  });

  it('of events has the times in the wanted time zone', async () => {
    const { received } = await run('list_events', { ...period, timeZone: 'Europe/Berlin' });
    expect(received[0]?.headers['prefer']).toBe('IdType="ImmutableId", outlook.timezone="Europe/Berlin"');
  });
});

describe('get_message', () => {
  it.each([
    [{}, 'text'],
    [{ bodyType: 'html' }, 'html'],
  ])('asks for the body with %j as %s', async (input, type) => {
    const { received } = await run('get_message', { messageId, ...input });
    expect(received[0]?.headers['prefer']).toBe(`IdType="ImmutableId", outlook.body-content-type="${type}"`);
  });

  it('names the attachments', async () => {
    const attachment = { id: 'AAM=', name: 'a.txt', contentType: 'text/plain', size: 2, isInline: false };
    const { output, received, asked } = await run('get_message', { messageId }, ({ url }) =>
      json(
        url.includes('/attachments')
          ? { value: [{ '@odata.type': '#microsoft.graph.fileAttachment', ...attachment }] }
          : { '@odata.context': 'x', id: messageId, hasAttachments: true },
      ),
    );
    expect(output).toEqual({ id: messageId, hasAttachments: true, attachments: [attachment] });
    expect(asked[1]).toBe(
      `GET ${ME}/messages/AAMkAGI2-_%3D/attachments?%24select=id%2Cname%2CcontentType%2Csize%2CisInline&%24top=100`,
    );
    expect(received.flatMap(check)).toEqual([]);
  });
});

describe('get_attachment', () => {
  const get = (attachment: JsonObject, content = '') =>
    run('get_attachment', { messageId, attachmentId: 'AAM=' }, ({ url }) =>
      url.endsWith('/$value') ? { headers: { 'content-type': 'message/rfc822' }, body: content } : json(attachment),
    );

  it('returns a file', async () => {
    expect((await get(fileAttachment)).output).toEqual(file);
  });

  it('returns an attached message in MIME format', async () => {
    const item = { '@odata.type': '#microsoft.graph.itemAttachment', name: 'Reminder', contentType: null };
    const { output, asked } = await get(item, 'Subject: Hi');
    expect(output).toEqual({ filename: 'Reminder', mimeType: 'message/rfc822', base64: 'U3ViamVjdDogSGk=' });
    expect(asked[1]).toBe(`GET ${ME}/messages/AAMkAGI2-_%3D/attachments/AAM%3D/$value`);
  });

  it('refuses a link', async () => {
    const link = { '@odata.type': '#microsoft.graph.referenceAttachment', name: 'a.docx' };
    await expect(get(link)).rejects.toMatchObject({ name: 'InputError', property: 'attachmentId' });
  });
});

it('refuses attachments that are too large together', async () => {
  const large = { ...file, base64: 'a'.repeat(2_000_004) };
  const sent = run('send_mail', { to: [ann], subject: 's', body: 'b', attachments: [large, large] });
  await expect(sent).rejects.toMatchObject({ name: 'InputError', property: 'attachments' });
});

it.each([
  ['start', { start: '2026-01-31', end: '2026-01-31T13:00' }],
  ['end', { start: '2026-01-31T12:00', end: '2026-02-01' }],
  ['start', { start: '2026-01-31T12:00', end: '2026-02-01', isAllDay: true }],
])('refuses an event with a %s that does not fit', async (property, times) => {
  await expect(run('create_event', { subject: 's', ...times })).rejects.toMatchObject({ name: 'InputError', property });
});

it('finds the times when all are free, and names those without a readable calendar', async () => {
  const value = [
    { scheduleId: ann, availabilityView: '0002200400' },
    { scheduleId: bob, availabilityView: '1000000030' },
    { scheduleId: eve, error: { message: 'No such mailbox', responseCode: 'ErrorMailRecipientNotFound' } },
  ];
  const { output } = await run(
    'find_free_times',
    { people: [ann, bob, eve], start: '2026-01-31T09:00:00+01:00', end: '2026-01-31T11:30:00+01:00' },
    () => json({ value }),
  );
  expect(output).toEqual({
    free: [
      { start: '2026-01-31T08:15:00.000Z', end: '2026-01-31T08:45:00.000Z' },
      { start: '2026-01-31T09:15:00.000Z', end: '2026-01-31T10:00:00.000Z' },
    ],
    unknown: [{ address: eve, reason: 'No such mailbox' }],
  });
});

describe('options', () => {
  it.each([
    ['list_messages', 'folderId', {}, { displayName: 'Inbox', id: 'AQ=' }],
    ['list_events', 'calendarId', {}, { name: 'Inbox', id: 'AQ=' }],
    ['list_events', 'timeZone', {}, { displayName: 'Inbox', alias: 'AQ=' }],
    ['get_attachment', 'attachmentId', { messageId }, { name: 'Inbox', id: 'AQ=' }],
  ])('of %s.%s', async (action, property, input, item) => {
    const reply = () => json({ value: [item] });
    const { output, received } = await optionsOf({ ...setting, reply }, [action, property], input);
    expect(output).toEqual({ options: [{ label: 'Inbox', value: 'AQ=' }], disabled: false });
    expect(received.flatMap(check)).toEqual([]);
  });

  it('of attachments are disabled without a message', async () => {
    const { output, asked } = await optionsOf(setting, ['get_attachment', 'attachmentId']);
    expect([output, asked]).toEqual([{ options: [], disabled: true }, []]);
  });
});

it("fails with Microsoft's message and code", async () => {
  const error = { code: 'ErrorItemNotFound', message: 'The object was not found.', innerError: { date: '2026' } };
  await expect(run('move', { messageId, folderId }, () => json({ error }, 404))).rejects.toMatchObject({
    ...{ name: 'ProviderError', status: 404, code: 'ErrorItemNotFound', message: 'The object was not found.' },
    retryable: false,
  });
});

it.each([
  [429, { 'retry-after': '60' }, 60],
  [509, {}, undefined],
])('reports a limit with status %i', async (status, headers, retryAfter) => {
  const error = { code: 'ApplicationThrottled', message: 'Too many requests' };
  const limited = run('move', { messageId, folderId }, () => json({ error }, status, headers));
  await expect(limited).rejects.toMatchObject({ status, code: error.code, retryable: true, retryAfter });
});
