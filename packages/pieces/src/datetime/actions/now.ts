import { action } from '@drawbridge/piece-kit';
import { DateTime } from 'luxon';
import { toOptions, toOutput } from '../moment.js';
import { timezone } from '../properties.js';

export const now = action({
  displayName: 'Now',
  description: 'This moment, as a clock in a time zone shows it.',
  category: 'read',
  props: { timezone },
  run: async ({ input }) => toOutput(DateTime.now().setZone(toOptions(input).zone)),
});
