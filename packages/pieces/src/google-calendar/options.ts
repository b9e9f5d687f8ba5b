import { listOptions, textAt, type JsonValue, type LoadOptions } from '@drawbridge/piece-kit';
import { googlePaging } from '../google.js';
import { CALENDARS, eventsPath } from './requests.js';

const SHOWN = 50;

/** Lists calendars for which the user has at least this role. */
export const calendars =
  (minAccessRole: 'freeBusyReader' | 'reader' | 'writer'): LoadOptions =>
  ({ http }) => {
    const label = (item: JsonValue) => textAt(item, 'summaryOverride') ?? textAt(item, 'summary');
    return listOptions(http, { method: 'GET', path: CALENDARS, query: { minAccessRole, maxResults: 250 } }, { label });
  };

/** Lists the next events of the calendar, or the events that Google finds for the search. */
export const events: LoadOptions = ({ http, input: { calendarId }, search: q }) => {
  const path = eventsPath(typeof calendarId === 'string' && calendarId !== '' ? calendarId : undefined);
  const timeMin = new Date().toISOString();
  const query = { q, timeMin, singleEvents: true, orderBy: 'startTime', maxResults: SHOWN };
  const label = (item: JsonValue) => {
    const start = textAt(item, 'start', 'dateTime') ?? textAt(item, 'start', 'date');
    return [textAt(item, 'summary') ?? '(no title)', start].filter(Boolean).join(' · ');
  };
  return listOptions(http, { method: 'GET', path, query }, { label, limit: SHOWN, paging: googlePaging('items') });
};
