import { expandPath, type HttpRequest, type JsonObject, type Query } from '@drawbridge/piece-kit';

const BASE = '/calendar/v3';
export const CALENDARS = `${BASE}/users/me/calendarList`;
export const FREE_BUSY = `${BASE}/freeBusy`;

/** The primary calendar of the connected user. */
export const PRIMARY = 'primary';

export interface Place {
  calendarId?: string;
  eventId: string;
}

/** Returns the path of the events of a calendar, or of an operation on them. */
export const eventsPath = (calendarId = PRIMARY, operation = ''): string =>
  expandPath(`${BASE}/calendars/{calendarId}/events${operation}`, { calendarId });

/** Returns the path of an event, or of an operation on it. */
export const eventPath = ({ calendarId, eventId }: Place, operation = ''): string =>
  eventsPath(calendarId) + expandPath(`/{eventId}${operation}`, { eventId });

/** Returns the request that changes fields of an event. With `etag`, the request fails if the event was changed after it was read. */
export const patchRequest = (place: Place, query: Query, json: JsonObject, etag?: string): HttpRequest => ({
  method: 'PATCH',
  path: eventPath(place),
  query,
  json,
  ...(etag && { headers: { 'if-match': etag } }),
});
