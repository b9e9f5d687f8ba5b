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
  description: 'Adds, compares, formats and parses dates, and converts time zones.',
  categories: ['UTILITIES'],
  actions: { now, convert, format, parse, add, difference },
});
