import { action, dateTime, type JsonValue, listAt, number, textAt } from '@drawbridge/piece-kit';
import { freeTimes } from '../free-times.js';
import { addresses } from '../properties.js';

/** The length of a slot in minutes. Free times begin and end at multiples of it. */
const SLOT = 15;

/** Finds times at which all people are free: https://learn.microsoft.com/graph/outlook-get-free-busy-schedule */
export const findFreeTimes = action({
  displayName: 'Find free times',
  description:
    'Finds the times when all people are free. "free" has the times, "unknown" the people without a readable calendar. Needs a work or school account.',
  category: 'read',
  props: {
    people: addresses.people,
    start: dateTime('Start', { required: true, description: 'The start of the period to search.' }),
    end: dateTime('End', { required: true, description: 'Less than 62 days after the start.' }),
    durationMinutes: number('Duration', {
      description: 'The shortest useful time in minutes. Defaults to 30.',
      integer: true,
      minimum: 5,
      maximum: 1_440,
    }),
  },
  run: async ({ http, input: { people, start, end, durationMinutes = 30 } }) => {
    const availabilityViewInterval = Math.min(durationMinutes, SLOT);
    const json = { schedules: people, startTime: toUtc(start), endTime: toUtc(end), availabilityViewInterval };
    const answer = await http.json({ method: 'POST', path: '/v1.0/me/calendar/getSchedule', json });
    const schedules = listAt(answer, 'value');
    const views = schedules.flatMap((schedule) => textAt(schedule, 'availabilityView') ?? []);
    const unknown = schedules.filter((schedule) => !textAt(schedule, 'availabilityView')).map(toUnknown);
    return { free: freeTimes(views, { start, end, slotMinutes: availabilityViewInterval, durationMinutes }), unknown };
  },
});

const toUtc = (time: string): JsonValue => ({ dateTime: new Date(time).toISOString().slice(0, 19), timeZone: 'UTC' });

const toUnknown = (schedule: JsonValue): JsonValue => ({
  address: textAt(schedule, 'scheduleId') ?? '',
  reason: textAt(schedule, 'error', 'message') ?? '',
});
