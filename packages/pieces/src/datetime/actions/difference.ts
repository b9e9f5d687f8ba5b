import { action, dateTime, staticDropdown } from '@drawbridge/piece-kit';
import { readMoment } from '../moment.js';
import { timezone } from '../properties.js';

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'] as const;

export const difference = action({
  displayName: 'Difference',
  description: 'Returns the duration from one date to another. It is negative if the second date is earlier.',
  category: 'read',
  props: {
    from: dateTime('From', { required: true }),
    to: dateTime('To', { required: true }),
    unit: staticDropdown('Unit', UNITS, {
      required: true,
      description: 'Days, weeks, months and years follow the calendar.',
    }),
    timezone,
  },
  run: async ({ input }) => {
    const [from, to] = [readMoment('from', input.from, input), readMoment('to', input.to, input)];
    return { result: to.diff(from, input.unit).as(input.unit) };
  },
});
