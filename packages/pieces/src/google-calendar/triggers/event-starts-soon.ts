import { collect, firstThatFit, number, textAt, trigger, type JsonValue } from '@drawbridge/piece-kit';
import { googlePaging } from '../../google.js';
import { toListed } from '../event.js';
import { calendarId } from '../properties.js';
import { eventsPath } from '../requests.js';
import { EVENT } from './sample.js';

/** The time of the last poll, and the known events after it as `id/start`, so that an event that is moved is reported again. */
type Cursor = { at: string; seen: string[] };

const MINUTE = 60_000;
const LIMIT = 2_500;

/** Runs a number of minutes before an event starts: https://developers.google.com/workspace/calendar/api/v3/reference/events/list */
export const eventStartsSoon = trigger({
  kind: 'polling',
  displayName: 'Event starts soon',
  description: 'Runs a number of minutes before an event starts. All-day events are left out.',
  props: {
    minutes: number('Minutes', {
      description: 'Minutes before the start. Defaults to 15. Use more than the minutes between two polls.',
      integer: true,
      minimum: 1,
      maximum: 1_440,
    }),
    calendarId,
  },
  sample: EVENT,
  poll: async ({ http, input: { minutes = 15, calendarId: calendar }, cursor }) => {
    const now = Date.now();
    const { at, seen } = (cursor as Cursor | undefined) ?? { at: toText(now), seen: [] };
    const timeMax = toText(now + minutes * MINUTE);
    const query = { timeMin: at, timeMax, singleEvents: true, orderBy: 'startTime', maxResults: 250 };
    const request = { method: 'GET', path: eventsPath(calendar), query };
    const found = await collect(http.pages(request, LIMIT, googlePaging('items')));
    const upcoming = found.filter((event) => startOf(event) > Date.parse(at));
    if (cursor === undefined) return { events: [], cursor: { at, seen: upcoming.map(keyOf) } };

    const fresh = upcoming.filter((event) => !seen.includes(keyOf(event)));
    const { events, read } = firstThatFit(fresh, (event) => ({ id: keyOf(event), data: toListed(event) }));
    if (read.length < fresh.length) return { events, cursor: { at, seen: [...seen, ...read.map(keyOf)] } };
    const later = upcoming.filter((event) => startOf(event) > now);
    return { events, cursor: { at: toText(now), seen: later.map(keyOf) } };
  },
});

const toText = (time: number): string => new Date(time).toISOString();

/** NaN for an all-day event, because it starts at midnight in the time zone of each user. */
const startOf = (event: JsonValue): number => Date.parse(textAt(event, 'start', 'dateTime') ?? '');

const keyOf = (event: JsonValue): string => `${textAt(event, 'id')}/${textAt(event, 'start', 'dateTime')}`;
