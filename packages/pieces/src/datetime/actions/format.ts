import { action } from '@drawbridge/piece-kit';
import { readMoment } from '../moment.js';
import { date, locale, pattern, timezone } from '../properties.js';

export const format = action({
  displayName: 'Format',
  description: 'Writes a moment the way people of a language do.',
  category: 'read',
  props: { date, format: pattern, timezone, locale },
  run: async ({ input }) => ({ result: readMoment('date', input.date, input).toFormat(input.format) }),
});
