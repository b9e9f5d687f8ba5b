import { action, member } from '@drawbridge/piece-kit';
import { CREATE_GROUP } from '../documents.js';
import { request } from '../items.js';
import { board, name } from '../properties.js';

/** https://developer.monday.com/api-reference/reference/groups#create-a-group */
export const createGroup = action({
  displayName: 'Create group',
  description: 'Creates a group of items on a board and returns its id.',
  category: 'write',
  adds: true,
  props: { board_id: board, name },
  run: async ({ http, input: { board_id, name: title } }) =>
    member(await http.json(request(CREATE_GROUP, { board: board_id, name: title })), 'data', 'create_group') ?? {},
});
