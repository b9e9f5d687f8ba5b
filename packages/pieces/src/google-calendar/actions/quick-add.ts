import { action, shortText } from '@drawbridge/piece-kit';
import { toEvent } from '../event.js';
import { writableCalendarId } from '../properties.js';
import { eventsPath } from '../requests.js';

/** Creates an event from one sentence: https://developers.google.com/workspace/calendar/api/v3/reference/events/quickAdd */
export const quickAdd = action({
  displayName: 'Quick add',
  description: 'Creates an event from one sentence, such as "Lunch with Ann tomorrow at 12". Returns the event.',
  category: 'write',
  adds: true,
  props: {
    text: shortText('Text', {
      required: true,
      description: 'The event and its time, in words.',
      minLength: 1,
      maxLength: 1_000,
    }),
    calendarId: writableCalendarId,
  },
  run: async ({ http, input: { calendarId, text } }) =>
    toEvent(await http.json({ method: 'POST', path: eventsPath(calendarId, '/quickAdd'), query: { text } })),
});
