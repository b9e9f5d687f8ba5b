import { action, collect, multiSelect, staticDropdown } from '@drawbridge/piece-kit';
import { BOARDS } from '../documents.js';
import { workspaces } from '../options.js';
import { PAGE, pagesOf } from '../paging.js';
import { ID, limit } from '../properties.js';
import { ask } from '../request.js';

/** Lists the boards that the user can access: https://developer.monday.com/api-reference/reference/boards#queries */
export const listBoards = action({
  displayName: 'List boards',
  description: 'Lists the boards that the user can see, the last used first.',
  category: 'read',
  props: {
    workspace_ids: multiSelect('Workspaces', {
      description: 'Ids of workspaces. Defaults to all.',
      pattern: ID,
      options: workspaces,
    }),
    state: staticDropdown('State', ['active', 'archived', 'deleted', 'all'], { description: 'Defaults to active.' }),
    limit,
  },
  run: ({ http, input: { limit: count = 50, ...filter } }) =>
    collect(http.pages(ask(BOARDS, { ...filter, limit: Math.min(count, PAGE), page: 1 }), count, pagesOf('boards'))),
});
