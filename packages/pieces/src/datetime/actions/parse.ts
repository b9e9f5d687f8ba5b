import { runInNewContext } from 'node:vm';
import { action, InputError, shortText } from '@drawbridge/piece-kit';
import { DateTime } from 'luxon';
import { requireValid, toOptions, toOutput } from '../moment.js';
import { locale, pattern, timezone } from '../properties.js';

const MAX_MS = 1_000;

const text = shortText('Text', {
  required: true,
  description: 'A date as text, written in the format.',
  maxLength: 200,
});

export const parse = action({
  displayName: 'Parse',
  description: 'Returns the date of a text in a given format. A text without a UTC offset is read in the time zone.',
  category: 'read',
  isolated: true,
  props: { text, format: pattern, timezone, locale },
  run: async ({ input }) => {
    const options = toOptions(input);
    const moment = inTime(() => DateTime.fromFormat(input.text, input.format, options));
    if (!moment.isValid) throw new InputError('text', `is not a date in the format ${input.format}`);
    return toOutput(requireValid('text', moment));
  },
});

/** Limits the time: the library converts the format to a regular expression, and a format like `dMdMdM…` causes endless backtracking. */
function inTime<T>(read: () => T): T {
  try {
    return runInNewContext('read()', { read }, { timeout: MAX_MS }) as T;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new InputError('format', 'is ambiguous: put a separator between its numbers, as in yyyy-MM-dd');
  }
}
