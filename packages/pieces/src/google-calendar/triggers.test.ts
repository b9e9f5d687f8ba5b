import type { JsonObject, JsonValue, PollingTrigger } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, runTrigger } from '../../testing/run-piece.js';
import type { Reply } from '../../testing/third-party.js';
import { event, requireKnown } from '../../testing/vendors/google-calendar.js';
import { by } from '../../testing/witness.js';
import { googleCalendar } from './index.js';

const check = by(readDescription('google-calendar'));
const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;

async function poll(
  name: string,
  reply: (parameters: URLSearchParams) => Reply,
  cursor?: JsonValue,
  input: JsonObject = {},
) {
  const trigger = googleCalendar.triggers?.[name] as PollingTrigger;
  const setting = {
    piece: googleCalendar,
    credential,
    reply: ({ url }: { url: string }) => reply(new URL(url, 'http://google').searchParams),
  };
  const { output, asked, received } = await runTrigger(setting, input, (context) =>
    trigger.poll({ ...context, cursor }),
  );
  expect(received.flatMap(check)).toEqual([]);
  return { ...output, asked, ids: output.events.map(({ id }) => id) };
}

/** Returns a time within one minute, given its seconds. */
const time = (seconds: number): string => `2026-02-01T10:00:${seconds.toFixed(3).padStart(6, '0')}Z`;

/** Returns an event that was created at one time and changed at another. Google truncates `created` to the second. */
const changed = (id: string, created: number, updated = created, more: JsonObject = {}): JsonObject =>
  event(id, { created: time(Math.floor(created)), updated: time(updated), ...more });

/** A fake calendar that numbers its changes. The token is the number of changes so far. */
class Calendar {
  readonly changes: JsonObject[] = [];
  size = 1_000;
  hasExpired = false;

  readonly reply = (parameters: URLSearchParams): Reply => {
    const token = parameters.get('syncToken');
    if (token !== null && this.hasExpired)
      return json({ error: { code: 410, errors: [{ reason: 'fullSyncRequired' }] } }, 410);
    const latest = new Map(this.changes.slice(Number(token ?? 0)).map((one) => [one['id'], one]));
    const events = [...latest.values()].reverse();
    const from = Number(parameters.get('pageToken') ?? 0);
    const isLast = from + this.size >= events.length;
    const updated =
      this.changes
        .map((one) => String(one['updated']))
        .sort()
        .at(-1) ?? time(0);
    const rest = isLast ? { nextSyncToken: String(this.changes.length) } : { nextPageToken: String(from + this.size) };
    const body = { updated, items: events.slice(from, from + this.size), ...rest };
    requireKnown(body);
    return json(body);
  };
}

const at = 'GET /calendar/v3/calendars/primary/events?maxResults=1000';

it('starts at the present and reports nothing', async () => {
  const calendar = new Calendar();
  calendar.changes.push(changed('e1', 1), changed('e2', 2.5));
  const { events, cursor, asked } = await poll('event_created', calendar.reply);
  expect(events).toEqual([]);
  expect(cursor).toEqual({ syncToken: '2', second: '2026-02-01T10:00:02', ids: ['e2'] });
  expect(asked).toEqual([`${at}&fields=nextPageToken%2CnextSyncToken%2Cupdated%2Citems%28id%2Ccreated%29`]);
  calendar.size = 1;
  expect((await poll('event_created', calendar.reply)).cursor).toEqual(cursor);
});

/** Polls all three kinds of changes from their separate cursors. */
async function pollAll(calendar: Calendar, cursors: Record<string, JsonValue> = {}) {
  const ids: Record<string, string[]> = {};
  for (const kind of ['created', 'updated', 'cancelled']) {
    const polled = await poll(`event_${kind}`, calendar.reply, cursors[kind]);
    const again = await poll(`event_${kind}`, calendar.reply, cursors[kind]);
    expect(again).toEqual(polled); // Repeats the same poll, as after a crash.
    cursors[kind] = polled.cursor;
    ids[kind] = polled.ids;
  }
  return { ids, cursors };
}

it('tells new, changed and cancelled events apart', async () => {
  const calendar = new Calendar();
  calendar.changes.push(changed('e1', 1), changed('e2', 2));
  const { cursors } = await pollAll(calendar);
  calendar.changes.push(changed('e3', 3.2), changed('e1', 1, 3.5), changed('e3', 3.2, 3.6), {
    id: 'e2',
    status: 'cancelled',
  });
  const { ids } = await pollAll(calendar, cursors);
  expect(ids).toEqual({ created: ['e3'], updated: [`e1/${time(3.5)}`], cancelled: ['e2/cancelled'] });
  expect((await pollAll(calendar, cursors)).ids).toEqual({ created: [], updated: [], cancelled: [] });
  calendar.changes.push(changed('e3', 3.2, 4), changed('e1', 1, 5, { status: 'cancelled' }));
  expect((await pollAll(calendar, cursors)).ids).toEqual({
    created: [],
    updated: [`e3/${time(4)}`],
    cancelled: [`e1/${time(5)}`],
  });
});

it('finds an event of the second in which it looked, and reports the known ones of that second as changed', async () => {
  const calendar = new Calendar();
  calendar.changes.push(changed('e1', 1), changed('e2', 2.1));
  const { cursors } = await pollAll(calendar);
  calendar.changes.push(changed('e3', 2.5), changed('e2', 2.1, 2.6));
  expect((await pollAll(calendar, cursors)).ids).toMatchObject({ created: ['e3'], updated: [`e2/${time(2.6)}`] });
  calendar.changes.push(changed('e4', 2.9), changed('e3', 2.5, 2.95));
  expect((await pollAll(calendar, cursors)).ids).toMatchObject({ created: ['e4'], updated: [`e3/${time(2.95)}`] });
});

it('reports a changed instance of a recurring event as changed', async () => {
  const calendar = new Calendar();
  const { cursors } = await pollAll(calendar);
  calendar.changes.push(changed('e1', 1), changed('e1_20260202T080000Z', 1, 2, { recurringEventId: 'e1' }));
  expect((await pollAll(calendar, cursors)).ids).toMatchObject({
    created: ['e1'],
    updated: [`e1_20260202T080000Z/${time(2)}`],
  });
});

it('reads all pages of the changes, with the same parameters', async () => {
  const calendar = new Calendar();
  const { cursor } = await poll('event_created', calendar.reply);
  calendar.changes.push(...[1, 2, 3].map((second) => changed(`e${second}`, second)));
  calendar.size = 2;
  const { ids, asked } = await poll('event_created', calendar.reply, cursor, { calendarId: 'primary' });
  expect(ids).toEqual(['e1', 'e2', 'e3']);
  expect(asked).toEqual([`${at}&syncToken=0`, `${at}&syncToken=0&pageToken=2`]);
});

it('starts again at the present if the token has expired', async () => {
  const calendar = new Calendar();
  const { cursor } = await poll('event_created', calendar.reply);
  calendar.changes.push(changed('e1', 1));
  calendar.hasExpired = true;
  const expired = await poll('event_created', calendar.reply, cursor);
  expect(expired).toMatchObject({ events: [], cursor: { syncToken: '1', ids: ['e1'] } });
  calendar.hasExpired = false;
  calendar.changes.push(changed('e2', 2));
  expect((await poll('event_created', calendar.reply, expired.cursor)).ids).toEqual(['e2']);
});

it('passes on other failures, so that the poll is repeated', async () => {
  const reply = () => json({ error: { code: 404, errors: [{ reason: 'notFound' }], message: 'Not Found' } }, 404);
  await expect(poll('event_created', reply, { syncToken: '1', second: '', ids: [] })).rejects.toMatchObject({
    code: 'notFound',
  });
});

it('reports many events in several polls, also while they change', async () => {
  const calendar = new Calendar();
  const large = { attendees: Array.from({ length: 12_000 }, () => ({ email: `${'x'.repeat(60)}@acme.example` })) };
  let { cursor } = await poll('event_created', calendar.reply);
  calendar.changes.push(...[1, 2, 3, 4, 5].map((second) => changed(`e${second}`, second, second, large)));
  const first = await poll('event_created', calendar.reply, cursor);
  expect(first.ids).toEqual(['e1', 'e2']);
  calendar.changes.push(changed('e3', 3, 6, large), changed('e1', 1, 7));
  const found: string[] = [];
  ({ cursor } = first);
  for (let polls = 0; polls < 3; polls++) {
    const next: Awaited<ReturnType<typeof poll>> = await poll('event_created', calendar.reply, cursor);
    found.push(...next.ids);
    cursor = next.cursor;
  }
  // The last event has the id of its first report, so that it is not delivered again.
  expect(found).toEqual(['e4', 'e5', 'e3', 'e1']);
  expect(cursor).toMatchObject({ syncToken: '7' });
  expect(cursor).not.toHaveProperty('after');
});

describe('event_starts_soon', () => {
  const now = (clock: string) =>
    import.meta.jest.spyOn(Date, 'now').mockReturnValue(Date.parse(`2026-02-01T${clock}Z`));
  afterEach(() => import.meta.jest.restoreAllMocks());

  const starting = (id: string, clock: string): JsonObject =>
    event(id, { start: { dateTime: `2026-02-01T${clock}Z` } });
  /** Google lists events that end after `timeMin`, including events that have already started. */
  const list =
    (...events: JsonObject[]) =>
    (parameters: URLSearchParams): Reply => {
      const timeMax = Date.parse(parameters.get('timeMax') ?? '');
      const items = events.filter(({ start }) => !(Date.parse((start as { dateTime: string }).dateTime) >= timeMax));
      requireKnown({ items });
      return json({ items });
    };
  const pollAt = (clock: string, events: JsonObject[], cursor?: JsonValue, input: JsonObject = {}) => {
    now(clock);
    return poll('event_starts_soon', list(...events), cursor, input);
  };

  it('reports events before they start, each once', async () => {
    const events = [
      starting('e0', '09:00:00'),
      starting('e1', '10:10:00'),
      starting('e2', '10:20:00'),
      starting('e3', '12:00:00'),
    ];
    const first = await pollAt('10:00:00', events);
    expect(first.events).toEqual([]);
    const next = await pollAt('10:05:01', events, first.cursor);
    expect(next.ids).toEqual(['e2/2026-02-01T10:20:00Z']);
    expect(next.events[0]?.data).toMatchObject({ id: 'e2', summary: 'Planning' });
    expect(await pollAt('10:05:01', events, first.cursor)).toEqual(next);
    expect((await pollAt('10:10:00', events, next.cursor)).events).toEqual([]);
    expect(next.asked).toEqual([
      'GET /calendar/v3/calendars/primary/events?timeMin=2026-02-01T10%3A00%3A00.000Z&timeMax=2026-02-01T10%3A20%3A01.000Z' +
        '&singleEvents=true&orderBy=startTime&maxResults=250',
    ]);
  });

  it('uses the minutes and the calendar of the input', async () => {
    const { asked } = await pollAt('10:00:00', [], undefined, { minutes: 60, calendarId: 'c2' });
    expect(asked[0]).toMatch(/calendars\/c2\/events\?timeMin=.*&timeMax=2026-02-01T11%3A00%3A00.000Z/);
  });

  it('reports an event that is added late or that moves', async () => {
    const { cursor } = await pollAt('10:00:00', [starting('e1', '10:10:00')]);
    const moved = [starting('e1', '10:12:00'), starting('e2', '10:03:00')];
    expect((await pollAt('10:02:00', moved, cursor)).ids).toEqual([
      'e1/2026-02-01T10:12:00Z',
      'e2/2026-02-01T10:03:00Z',
    ]);
  });

  it('reports an event that started since the poll before', async () => {
    const { cursor } = await pollAt('10:00:00', []);
    expect((await pollAt('10:30:00', [starting('e1', '10:20:00'), starting('e0', '09:59:00')], cursor)).ids).toEqual([
      'e1/2026-02-01T10:20:00Z',
    ]);
  });

  it('leaves out all-day events', async () => {
    const { cursor } = await pollAt('10:00:00', []);
    const allDay = event('e1', { start: { date: '2026-02-01' } });
    expect((await pollAt('10:05:00', [allDay], cursor)).events).toEqual([]);
  });

  it('reports many events in several polls', async () => {
    const attendees = Array.from({ length: 12_000 }, () => ({ email: `${'x'.repeat(60)}@acme.example` }));
    const events = ['e1', 'e2', 'e3'].map((id) => ({ ...starting(id, '10:10:00'), attendees }));
    const { cursor } = await pollAt('10:00:00', []);
    const first = await pollAt('10:01:00', events, cursor);
    const second = await pollAt('10:02:00', events, first.cursor);
    expect([first.ids.length, second.ids.length]).toEqual([2, 1]);
    expect((await pollAt('10:03:00', events, second.cursor)).events).toEqual([]);
  });
});

it('has samples with the keys of its events', async () => {
  const calendar = new Calendar();
  const { cursor } = await poll('event_created', calendar.reply);
  calendar.changes.push(changed('e1', 1));
  const { events } = await poll('event_created', calendar.reply, cursor);
  for (const { sample } of Object.values(googleCalendar.triggers ?? {})) {
    expect(Object.keys(sample)).toEqual(Object.keys(events[0]?.data ?? {}));
  }
});
