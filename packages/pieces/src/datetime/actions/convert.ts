import { action } from '@drawbridge/piece-kit';
import { readMoment, toOutput } from '../moment.js';
import { date, timezone } from '../properties.js';

export const convert = action({
  displayName: 'Convert',
  description: 'A moment as a clock in another time zone shows it.',
  category: 'read',
  props: { date, timezone },
  run: async ({ input }) => toOutput(readMoment('date', input.date, input)),
});
