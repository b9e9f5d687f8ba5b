import { checkbox, dropdown, dynamic, number, shortText } from '@drawbridge/piece-kit';
import { boardColumns } from './columns.js';
import { boards, groups } from './options.js';

const ID = '^[0-9]{1,20}$';

export const board = dropdown('Board', {
  required: true,
  description: 'The id of a board: the number in its URL.',
  pattern: ID,
  options: boards,
});

export const item = shortText('Item', {
  required: true,
  description: 'The id of an item: the last number in its URL.',
  pattern: ID,
});

export const name = shortText('Name', { required: true, description: 'The name.', minLength: 1, maxLength: 255 });

const GROUP = { pattern: '^[A-Za-z0-9_]{1,100}$', options: groups, refreshers: ['board_id'] } as const;
export const group = dropdown('Group', {
  ...GROUP,
  description: 'The id of a group. Absent: the first one of the board.',
});
export const targetGroup = dropdown('Group', { ...GROUP, required: true, description: 'The id of the new group.' });

const COLUMNS = {
  description: 'Values by the id of a column: {"status": "Done", "date4": "2026-01-31", "numbers": 5}.',
  refreshers: ['board_id'],
  props: boardColumns,
} as const;
export const columns = dynamic('Columns', COLUMNS);
export const newColumns = dynamic('Columns', { ...COLUMNS, required: true });

export const newLabels = checkbox('New labels', {
  description: 'Creates labels of status and dropdown columns that do not exist. Defaults to false.',
});

export const limit = number('Limit', {
  description: 'Maximum number of items. Defaults to 50.',
  integer: true,
  minimum: 1,
  maximum: 500,
});
