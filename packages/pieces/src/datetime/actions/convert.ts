import { action } from '@drawbridge/piece-kit';
import { readMoment, toOutput } from '../moment.js';
import { date, timezone } from '../properties.js';

export const convert = action({
  displayName: 'Convert',
  description: 'Returns a date in another time zone.',
  category: 'read',
  props: { date, timezone },
  run: async ({ input }) => toOutput(readMoment('date', input.date, input)),
});
