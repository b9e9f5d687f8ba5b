import { InputError, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { Ajv } from 'ajv';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece } from '../../testing/run-piece.js';
import type { Recorded } from '../../testing/third-party.js';
import { asCalendar, event } from '../../testing/vendors/google-calendar.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { googleCalendar } from './index.js';
import { details, start } from './properties.js';

const described = by(readDescription('google-calendar'));
/**
 * Checks a request without its null values. A patch removes a field with null, which the description does not allow:
 * https://developers.google.com/workspace/calendar/api/guides/performance#patch
 */
const check = (request: Recorded): string[] =>
  described(request.method === 'PATCH' ? { ...request, body: request.body.replace(/,?"\w+":null/g, '') } : request);
const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;
const setting = { piece: googleCalendar, credential, reply: asCalendar() };

const at = '/calendar/v3/calendars/primary/events';
const team = '/calendar/v3/calendars/team%40group.example/events';
const calendarId = 'team@group.example';
const [from, until] = ['2026-02-02T09:00:00+01:00', '2026-02-02T10:00:00+01:00'];
const given = {
  ...{ description: 'Next week', location: 'Room 7', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] },
  ...{
    reminders: [{ method: 'popup', minutes: 10 }],
    visibility: 'private',
    transparency: 'transparent',
    addMeet: true,
  },
};
const givenJson =
  '"description":"Next week","location":"Room 7","recurrence":["RRULE:FREQ=WEEKLY;COUNT=4"],"visibility":"private","transparency":"transparent"';
const meetJson =
  '"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10}]},' +
  '"conferenceData":{"createRequest":{"requestId":"run","conferenceSolutionKey":{"type":"hangoutsMeet"}}}';
const zoned = (time: string) => `{"dateTime":"${time}","timeZone":"Europe/Zurich"}`;
const patched = (time: string) => `{"dateTime":"${time}","timeZone":"Europe/Zurich","date":null}`;
const present =
  '{"email":"Bo@acme.example","displayName":"Bo","responseStatus":"accepted","optional":true},' +
  '{"email":"me@acme.example","responseStatus":"needsAction","self":true}';

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_event: [
      [
        { summary: 'Planning', start: from, end: until },
        `POST ${at}?sendUpdates=all {"summary":"Planning","start":{"dateTime":"${from}"},"end":{"dateTime":"${until}"}}`,
      ],
      [
        {
          ...{
            summary: 'Planning',
            start: '2026-02-02T09:00',
            end: '2026-02-02T10:00:30',
            timeZone: 'Europe/Zurich',
            ...given,
          },
          ...{ attendees: ['bo@acme.example'], sendUpdates: 'none', calendarId },
        },
        `POST ${team}?sendUpdates=none&conferenceDataVersion=1 {"summary":"Planning",${givenJson},` +
          `"start":${zoned('2026-02-02T09:00:00')},"end":${zoned('2026-02-02T10:00:30')},${meetJson},"attendees":[{"email":"bo@acme.example"}]}`,
      ],
      [
        { summary: 'Holiday', start: '2026-02-02', end: '2026-02-04', timeZone: 'Europe/Zurich' },
        `POST ${at}?sendUpdates=all {"summary":"Holiday","start":{"date":"2026-02-02"},"end":{"date":"2026-02-04"}}`,
      ],
    ],
    update_event: [
      [{ eventId: 'e1' }, `PATCH ${at}/e1?sendUpdates=all {}`],
      [
        {
          ...{
            eventId: 'e1',
            summary: 'Planning',
            start: '2026-02-02T09:00:00',
            end: '2026-02-02T10:00:00',
            timeZone: 'Europe/Zurich',
          },
          ...{ ...given, attendees: ['bo@acme.example', 'cy@acme.example'], sendUpdates: 'externalOnly', calendarId },
        },
        `GET ${team}/e1`,
        `PATCH ${team}/e1?sendUpdates=externalOnly&conferenceDataVersion=1 {"summary":"Planning",${givenJson},` +
          `"start":${patched('2026-02-02T09:00:00')},"end":${patched('2026-02-02T10:00:00')},${meetJson},` +
          `"attendees":[${present.split(',{"email":"me')[0]},{"email":"cy@acme.example"}]}`,
      ],
      [
        { eventId: 'e1', start: '2026-02-02', end: '2026-02-03' },
        `PATCH ${at}/e1?sendUpdates=all {"start":{"date":"2026-02-02","dateTime":null,"timeZone":null},` +
          '"end":{"date":"2026-02-03","dateTime":null,"timeZone":null}}',
      ],
    ],
    delete_event: [
      [{ eventId: 'e1' }, `DELETE ${at}/e1?sendUpdates=all`],
      [{ eventId: 'e1', sendUpdates: 'none', calendarId }, `DELETE ${team}/e1?sendUpdates=none`],
    ],
    get_event: [
      [{ eventId: 'e1' }, `GET ${at}/e1`],
      [{ eventId: 'e1_20260202T080000Z', calendarId }, `GET ${team}/e1_20260202T080000Z`],
    ],
    list_events: [
      [
        { timeMin: from },
        `GET ${at}?timeMin=2026-02-02T09%3A00%3A00%2B01%3A00&maxResults=50&singleEvents=true&orderBy=startTime`,
      ],
      [
        {
          timeMin: '2026-02-02T00:00:00Z',
          timeMax: '2026-02-03T00:00:00Z',
          q: 'plan',
          limit: 1_000,
          calendarId: 'primary',
        },
        `GET ${at}?timeMin=2026-02-02T00%3A00%3A00Z&timeMax=2026-02-03T00%3A00%3A00Z&maxResults=250&q=plan&singleEvents=true&orderBy=startTime`,
      ],
      [
        { timeMin: '2026-02-02T00:00:00Z', recurringEventId: 'e1' },
        `GET ${at}/e1/instances?timeMin=2026-02-02T00%3A00%3A00Z&maxResults=50`,
      ],
    ],
    find_free_busy: [
      [
        { timeMin: '2026-02-02T06:00:00Z', timeMax: '2026-02-02T18:00:00Z', calendarIds: ['primary'] },
        'POST /calendar/v3/freeBusy {"timeMin":"2026-02-02T06:00:00Z","timeMax":"2026-02-02T18:00:00Z","items":[{"id":"primary"}]}',
      ],
      [
        {
          timeMin: '2026-02-02T06:00:00Z',
          timeMax: '2026-02-02T18:00:00Z',
          calendarIds: ['a', 'b'],
          timeZone: 'Europe/Zurich',
        },
        'POST /calendar/v3/freeBusy {"timeMin":"2026-02-02T06:00:00Z","timeMax":"2026-02-02T18:00:00Z",' +
          '"timeZone":"Europe/Zurich","items":[{"id":"a"},{"id":"b"}]}',
      ],
    ],
    quick_add: [
      [{ text: 'Lunch tomorrow at 12' }, `POST ${at}/quickAdd?text=Lunch+tomorrow+at+12`],
      [{ text: 'Lunch', calendarId }, `POST ${team}/quickAdd?text=Lunch`],
    ],
    respond: [
      [
        { eventId: 'e1', response: 'accepted' },
        `GET ${at}/e1?maxAttendees=1`,
        `PATCH ${at}/e1 {"attendeesOmitted":true,"attendees":[{"email":"me@acme.example","responseStatus":"accepted"}]}`,
      ],
      [
        { eventId: 'e1', response: 'tentative', comment: 'Late', calendarId },
        `GET ${team}/e1?maxAttendees=1`,
        `PATCH ${team}/e1 {"attendeesOmitted":true,"attendees":[{"email":"me@acme.example","responseStatus":"tentative","comment":"Late"}]}`,
      ],
    ],
    list_calendars: [[{}, 'GET /calendar/v3/users/me/calendarList?maxResults=250']],
    add_attendees: [
      [{ eventId: 'e1', attendees: ['BO@acme.example'] }, `GET ${at}/e1`],
      [
        { eventId: 'e1', attendees: ['cy@acme.example', 'bo@acme.example'], sendUpdates: 'all', calendarId },
        `GET ${team}/e1`,
        `PATCH ${team}/e1?sendUpdates=all {"attendees":[${present},{"email":"cy@acme.example"}]}`,
      ],
    ],
  });

  it('of a change of attendees fail if the event was changed in between', async () => {
    for (const name of ['add_attendees', 'update_event']) {
      const { received } = await runPiece(setting, name, { eventId: 'e1', attendees: ['cy@acme.example'] });
      expect(received[1]?.headers['if-match']).toBe('"3181161784712000"');
    }
  });
});

const run = async (name: string, input: JsonObject, replies: Record<string, JsonValue> = {}) =>
  (await runPiece({ ...setting, reply: asCalendar(replies) }, name, input)).output;

describe('an event', () => {
  const shaped = {
    ...{ id: 'e1', status: 'confirmed', summary: 'Planning', description: 'Next week', location: 'Room 7' },
    ...{ start: from, end: until, isAllDay: false, timeZone: 'Europe/Zurich' },
    ...{ htmlLink: 'https://www.google.com/calendar/event?eid=x', meetingUrl: 'https://meet.google.com/abc-defg-hij' },
    organizer: 'ann@acme.example',
    attendees: [
      { email: 'Bo@acme.example', name: 'Bo', responseStatus: 'accepted', isOptional: true, isSelf: false },
      { email: 'me@acme.example', name: null, responseStatus: 'needsAction', isOptional: false, isSelf: true },
    ],
    ...{ recurrence: [], recurringEventId: null, originalStart: null, visibility: 'default', transparency: 'opaque' },
    ...{ created: '2026-01-31T09:00:00.000Z', updated: '2026-01-31T09:00:00.000Z' },
  };

  it('has its fields, as a result of every action', async () => {
    expect(await run('get_event', { eventId: 'e1' })).toEqual(shaped);
    expect(await run('update_event', { eventId: 'e1' })).toEqual(shaped);
    expect(await run('respond', { eventId: 'e1', response: 'declined' })).toEqual(shaped);
    expect(await run('add_attendees', { eventId: 'e1', attendees: ['cy@acme.example'] })).toEqual(shaped);
    expect(await run('quick_add', { text: 'x' })).toMatchObject({ summary: 'Planning' });
    expect(await run('create_event', { summary: 'x', start: from, end: until })).toMatchObject({ summary: 'Planning' });
    expect(await run('delete_event', { eventId: 'e1' })).toEqual({});
  });

  it('can be all day, recurring, an instance, or have another video meeting', async () => {
    const entryPoints = [
      { entryPointType: 'phone', uri: 'tel:1' },
      { entryPointType: 'video', uri: 'https://video.example/1' },
    ];
    const other = event('e2', {
      ...{
        start: { date: '2026-02-02' },
        end: { date: '2026-02-03' },
        hangoutLink: '',
        conferenceData: { entryPoints },
      },
      ...{ recurrence: ['RRULE:FREQ=DAILY'], recurringEventId: 'e0', originalStartTime: { date: '2026-02-01' } },
      ...{ visibility: 'private', transparency: 'transparent' },
    });
    expect(await run('get_event', { eventId: 'e2' }, { 'GET calendars/primary/events/e2': other })).toMatchObject({
      ...{
        start: '2026-02-02',
        end: '2026-02-03',
        isAllDay: true,
        timeZone: null,
        meetingUrl: 'https://video.example/1',
      },
      ...{ recurrence: ['RRULE:FREQ=DAILY'], recurringEventId: 'e0', originalStart: '2026-02-01' },
      ...{ visibility: 'private', transparency: 'transparent' },
    });
  });

  it('has a short description in a list', async () => {
    const list = { 'GET calendars/primary/events': { items: [event('e1', { description: 'x'.repeat(3_000) })] } };
    expect(await run('list_events', { timeMin: from }, list)).toMatchObject({
      items: [{ description: 'x'.repeat(2_000) }],
    });
  });

  it('is listed over several pages', async () => {
    const reply: typeof setting.reply = (request) =>
      json(
        request.url.includes('pageToken=2')
          ? { items: [event('e3')] }
          : { items: [event('e1'), event('e2')], nextPageToken: '2' },
      );
    const list = async (limit: number) =>
      (await runPiece({ ...setting, reply }, 'list_events', { timeMin: from, limit })).asked.length;
    expect([await list(2), await list(3)]).toEqual([1, 2]);
  });

  it.each<[JsonObject, string, string]>([
    [{ start: '2026-02-02', end: until }, 'end', 'must be a date'],
    [{ start: from, end: '2026-02-03' }, 'end', 'must be a date'],
    [{ start: '2026-02-02T09:00:00', end: until }, 'timeZone', 'time without an offset (got 2026-02-02T09:00:00)'],
    [{ start: from, end: until, recurrence: ['RRULE:FREQ=DAILY'] }, 'timeZone', 'recurring event'],
  ])('with %j is refused', async (times, property, text) => {
    const refused = run('create_event', { summary: 'x', ...times });
    await expect(refused).rejects.toMatchObject({
      name: 'InputError',
      property,
      message: expect.stringContaining(text),
    });
  });

  it.each(['2026-02-02', '2026-02-02T09:00', '2026-02-02T09:00:00Z', '2026-02-02T09:00+01:00'])(
    'can start at %s',
    (time) => {
      expect(new Ajv().validate(start.schema, time)).toBe(true);
    },
  );

  it.each(['2026-2-2', '2026-13-01', '2026-02-02T', '2026-02-02T24:00', 'tomorrow', '2026-02-02 09:00'])(
    'cannot start at %s',
    (time) => {
      expect(new Ajv().validate(start.schema, time)).toBe(false);
    },
  );
});

it.each([
  ['RRULE:FREQ=DAILY', true],
  ['EXRULE:FREQ=DAILY', true],
  ['RDATE;VALUE=DATE:20260202', true],
  ['EXDATE:20260202T090000Z', true],
  ['DTSTART:20260202', false],
  ['RRULE:FREQ=DAILY\nX:1', false],
])('checks the recurrence %j', (line, isValid) => {
  expect(new Ajv().validate(details.recurrence.schema, [line])).toBe(isValid);
});

it('answers only invitations of the account', async () => {
  const others = { 'GET calendars/primary/events/e1': event('e1', { attendees: [{ email: 'bo@acme.example' }] }) };
  await expect(run('respond', { eventId: 'e1', response: 'accepted' }, others)).rejects.toThrow(InputError);
});

describe('free times', () => {
  const query = {
    timeMin: '2026-02-02T06:00:00Z',
    timeMax: '2026-02-02T18:00:00Z',
    calendarIds: ['primary', 'bo@acme.example'],
  };

  it('are those at which all are free', async () => {
    expect(await run('find_free_busy', query)).toMatchObject({
      calendars: [
        { id: 'primary', busy: [{}, {}], errors: [] },
        { id: 'bo@acme.example', busy: [{ end: '2026-02-02T09:00:00Z' }] },
      ],
      free: [
        { start: '2026-02-02T06:00:00Z', end: '2026-02-02T08:00:00+01:00' },
        { start: '2026-02-02T09:00:00Z', end: '2026-02-02T10:00:00Z' },
        { start: '2026-02-02T11:00:00Z', end: '2026-02-02T18:00:00Z' },
      ],
    });
  });

  it('are the whole time without busy ones, and unknown if a calendar cannot be read', async () => {
    const empty = { 'POST freeBusy': { calendars: { primary: { busy: [] } } } };
    expect(await run('find_free_busy', query, empty)).toMatchObject({
      free: [{ start: query.timeMin, end: query.timeMax }],
    });
    const failed = {
      'POST freeBusy': { calendars: { x: { busy: [], errors: [{ domain: 'global', reason: 'notFound' }] } } },
    };
    expect(await run('find_free_busy', query, failed)).toMatchObject({
      free: null,
      calendars: [{ errors: [{ reason: 'notFound' }] }],
    });
  });
});

it('lists calendars by the names that the user gave them', async () => {
  expect(await run('list_calendars', {})).toEqual({
    items: [
      {
        id: 'me@acme.example',
        name: 'me@acme.example',
        description: null,
        timeZone: 'Europe/Zurich',
        accessRole: 'owner',
        isPrimary: true,
      },
      { id: 'c2', name: 'My team', description: 'All', timeZone: null, accessRole: 'reader', isPrimary: false },
    ],
  });
});

describe('options', () => {
  it.each([
    ['get_event', 'calendarId', 'reader'],
    ['create_event', 'calendarId', 'writer'],
    ['find_free_busy', 'calendarIds', 'freeBusyReader'],
  ])('of %s list the calendars that it can use', async (action, property, role) => {
    const { output, asked, received } = await optionsOf(setting, [action, property]);
    expect(output.options).toEqual([
      { label: 'me@acme.example', value: 'me@acme.example' },
      { label: 'My team', value: 'c2' },
    ]);
    expect(asked).toEqual([`GET /calendar/v3/users/me/calendarList?minAccessRole=${role}&maxResults=250`]);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('list the next events of the calendar', async () => {
    const { output, asked, received } = await optionsOf(
      setting,
      ['get_event', 'eventId'],
      { calendarId: 'primary' },
      'plan',
    );
    expect(output.options).toEqual([
      { label: `Planning · ${from}`, value: 'e1' },
      { label: 'Planning · 2026-02-03', value: 'e2' },
    ]);
    expect(asked[0]).toMatch(
      /^GET \/calendar\/v3\/calendars\/primary\/events\?q=plan&timeMin=[^&]+&singleEvents=true&orderBy=startTime&maxResults=50$/,
    );
    expect(received.flatMap(check)).toEqual([]);
  });
});

it.each<[object, number, object]>([
  [
    {
      errors: [{ domain: 'global', reason: 'forbiddenForNonOrganizer' }],
      code: 403,
      message: 'Shared properties can only be changed by the organizer',
    },
    403,
    {
      code: 'forbiddenForNonOrganizer',
      message: 'Shared properties can only be changed by the organizer',
      retryable: false,
    },
  ],
  [
    { errors: [{ domain: 'usageLimits', reason: 'rateLimitExceeded' }], code: 403, message: 'Rate Limit Exceeded' },
    403,
    { code: 'rateLimitExceeded', retryable: true, retryAfter: 1 },
  ],
])("fails with Google's own code and message: %j", async (error, status, expected) => {
  const sent = runPiece({ ...setting, reply: () => json({ error }, status) }, 'quick_add', { text: 'x' });
  await expect(sent).rejects.toMatchObject({ name: 'ProviderError', status, ...expected });
});

it('asks for events and for reading calendars', () => {
  const scope = 'https://www.googleapis.com/auth/';
  expect(googleCalendar.auth?.oauth2?.scopes).toEqual([`${scope}calendar.events`, `${scope}calendar.readonly`]);
  expect(googleCalendar.auth?.test).toBe('/calendar/v3/users/me/calendarList?maxResults=1');
});
