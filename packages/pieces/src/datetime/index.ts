import { piece } from '@drawbridge/piece-kit';
import { add } from './actions/add.js';
import { convert } from './actions/convert.js';
import { difference } from './actions/difference.js';
import { format } from './actions/format.js';
import { now } from './actions/now.js';
import { parse } from './actions/parse.js';

export const datetime = piece({
  name: 'datetime',
  displayName: 'Date and time',
  description: 'Moments, calendars and time zones, computed here.',
  categories: ['UTILITIES'],
  actions: { now, convert, format, parse, add, difference },
});
