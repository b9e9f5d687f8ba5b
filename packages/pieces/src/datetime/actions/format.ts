import { action } from '@drawbridge/piece-kit';
import { readMoment } from '../moment.js';
import { date, locale, pattern, timezone } from '../properties.js';

export const format = action({
  displayName: 'Format',
  description: 'Returns a date as text, in a given format, language and time zone.',
  category: 'read',
  props: { date, format: pattern, timezone, locale },
  run: async ({ input }) => ({ result: readMoment('date', input.date, input).toFormat(input.format) }),
});
