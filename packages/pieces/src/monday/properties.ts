import { checkbox, dropdown, dynamic, shortText } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { columnFields } from './columns.js';
import { boards, groups } from './options.js';

export const ID = '^[0-9]{1,20}$';

export const board = dropdown('Board', {
  required: true,
  description: 'The number in its address.',
  pattern: ID,
  options: boards,
});

export const GROUP = {
  description: 'A group of the board, such as topics.',
  maxLength: 100,
  refreshers: ['board_id'],
  options: groups,
} as const;

export const item = (displayName = 'Item') =>
  shortText(displayName, { required: true, description: 'A number.', pattern: ID });

export const name = shortText('Name', {
  required: true,
  description: 'The name of the item.',
  minLength: 1,
  maxLength: 255,
});

export const columnValues = dynamic('Columns', {
  description: 'By column id: {"status": "Done", "date4": "2026-01-31", "numbers": 5}. null clears one.',
  refreshers: ['board_id'],
  props: columnFields,
});

export const newLabels = checkbox('New labels', {
  description: 'Adds missing labels of status and dropdown columns.',
});

export const limit = itemLimit({ defaultsTo: 50, maximum: 500 });
