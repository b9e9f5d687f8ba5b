import { action, shortText } from '@drawbridge/piece-kit';
import { CREATE_GROUP } from '../documents.js';
import { board } from '../properties.js';
import { change } from '../request.js';

/** Adds a group at the top of a board: https://developer.monday.com/api-reference/reference/groups#create-a-group */
export const createGroup = action({
  displayName: 'Create group',
  description: 'Adds a group at the top of a board and returns it with its id.',
  category: 'write',
  adds: true,
  props: {
    board_id: board,
    group_name: shortText('Name', {
      required: true,
      description: 'The name of the group.',
      minLength: 1,
      maxLength: 255,
    }),
    group_color: shortText('Color', {
      description: 'A color of monday.com, such as #ff642e.',
      pattern: '^#[0-9a-fA-F]{6}$',
    }),
  },
  run: ({ http, input }) => change(http, CREATE_GROUP, input),
});
