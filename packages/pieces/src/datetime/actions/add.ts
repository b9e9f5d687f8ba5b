import { action, number } from '@drawbridge/piece-kit';
import { readMoment, requireValid, toOutput } from '../moment.js';
import { date, timezone } from '../properties.js';

const amount = (displayName: string) =>
  number(displayName, { integer: true, minimum: -1_000_000_000, maximum: 1_000_000_000 });

export const add = action({
  displayName: 'Add',
  description:
    'Adds a duration to a date and returns the new date; negative amounts subtract. Days and longer units follow the calendar of the time zone: ' +
    'one day later is the same time of day, even when the clocks change.',
  category: 'read',
  props: {
    date,
    years: amount('Years'),
    months: amount('Months'),
    weeks: amount('Weeks'),
    days: amount('Days'),
    hours: amount('Hours'),
    minutes: amount('Minutes'),
    seconds: amount('Seconds'),
    timezone,
  },
  run: async ({ input: { date: from, timezone: zone, ...amounts } }) =>
    toOutput(requireValid('date', readMoment('date', from, { timezone: zone }).plus(amounts))),
});
