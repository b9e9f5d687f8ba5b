import { action, dropdown, json } from '@drawbridge/piece-kit';
import { MOVE_ITEM_TO_BOARD } from '../documents.js';
import { toItem } from '../items.js';
import { board, GROUP, item } from '../properties.js';
import { change } from '../request.js';

const COLUMN = { type: 'string', minLength: 1, maxLength: 100 } as const;

/** Moves an item to a group of another board: https://developer.monday.com/api-reference/reference/items#move-item-to-board */
export const moveItemToBoard = action({
  displayName: 'Move item to board',
  description:
    'Moves an item to a group of another board and returns it. Values of columns that are not mapped may be lost.',
  category: 'write',
  idempotent: true,
  props: {
    item_id: item(),
    board_id: board,
    group_id: dropdown('Group', { required: true, ...GROUP }),
    columns_mapping: json('Columns', {
      description:
        'Columns of both boards: [{"source": "status", "target": "status_1"}]. Defaults to the mapping of monday.',
      schema: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          properties: { source: COLUMN, target: COLUMN },
          required: ['source'],
          additionalProperties: false,
        },
      },
    }),
  },
  run: async ({ http, input }) => toItem(await change(http, MOVE_ITEM_TO_BOARD, input)),
});
