import { action } from '@drawbridge/piece-kit';
import { DateTime } from 'luxon';
import { toOptions, toOutput } from '../moment.js';
import { timezone } from '../properties.js';

export const now = action({
  displayName: 'Now',
  description: 'Returns the current date and time in a time zone.',
  category: 'read',
  props: { timezone },
  run: async ({ input }) => toOutput(DateTime.now().setZone(toOptions(input).zone)),
});
