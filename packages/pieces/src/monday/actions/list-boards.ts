import { action, collect, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { BOARDS } from '../documents.js';
import { request } from '../items.js';
import { boardPages, BOARDS_PER_PAGE } from '../options.js';
import { limit } from '../properties.js';

const BOARD = {
  ...same('id', 'name', 'description', 'url', 'type', 'items_count'),
  ...{ workspaceId: 'workspace.id', workspace: 'workspace.name' },
};

/** https://developer.monday.com/api-reference/reference/boards */
export const listBoards = action({
  displayName: 'List boards',
  description: 'Lists the active boards, the most recently used first.',
  category: 'read',
  props: {
    workspace_id: shortText('Workspace', {
      description: 'Only boards of the workspace with this id.',
      pattern: '^[0-9]{1,20}$',
    }),
    limit,
  },
  run: async ({ http, input: { workspace_id, limit: count = 50 } }) => {
    const variables = {
      ...{ page: 1, limit: Math.min(count, BOARDS_PER_PAGE) },
      ...(workspace_id && { workspaces: [workspace_id] }),
    };
    const found = await collect(http.pages(request(BOARDS, variables), count, boardPages));
    return found.map((board) => pickFields(board, BOARD));
  },
});
