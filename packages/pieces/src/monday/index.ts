import { authorizationHeader, type Credential, piece, textAt } from '@drawbridge/piece-kit';
import { createGroup } from './actions/create-group.js';
import { createItem } from './actions/create-item.js';
import { createSubitem } from './actions/create-subitem.js';
import { createUpdate } from './actions/create-update.js';
import { deleteItem } from './actions/delete-item.js';
import { getItem } from './actions/get-item.js';
import { listBoards } from './actions/list-boards.js';
import { moveItem } from './actions/move-item.js';
import { searchItems } from './actions/search-items.js';
import { updateColumns } from './actions/update-columns.js';
import { ME } from './documents.js';
import { failedWhen } from './failed-when.js';
import { request } from './items.js';
import { columnChanged } from './triggers/column-changed.js';
import { itemCreated } from './triggers/item-created.js';
import { updatePosted } from './triggers/update-posted.js';

export const monday = piece({
  name: 'monday',
  displayName: 'monday.com',
  description: 'Creates, changes, finds and discusses items of boards.',
  categories: ['PRODUCTIVITY'],
  origin: 'https://api.monday.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description: 'A personal API token, from your picture, Developers, My access tokens.',
    test: (http) => http.json(request(ME)),
    afterConnect: async (http) => ({ label: textAt(await http.json(request(ME)), 'data', 'me', 'email') }),
    refusedWhen: [{ status: 401 }, { code: 'NotAuthenticated' }],
    // https://developer.monday.com/apps/docs/oauth: tokens do not expire.
    oauth2: {
      authUrl: 'https://auth.monday.com/oauth2/authorize',
      tokenUrl: 'https://auth.monday.com/oauth2/token',
      scopes: [
        'me:read',
        'boards:read',
        'boards:write',
        'updates:read',
        'updates:write',
        'workspaces:read',
        'webhooks:write',
      ],
      refresh: 'none',
    },
  },
  http: {
    // https://developer.monday.com/api-reference/docs/api-versioning
    headers: { 'api-version': '2026-01' },
    authorize,
    failedWhen,
    // https://developer.monday.com/api-reference/docs/rate-limits: a budget that is used up is answered with any status.
    rateLimit: {
      when: [
        { code: 'COMPLEXITY_BUDGET_EXHAUSTED' },
        { code: 'ComplexityException' },
        { code: 'maxConcurrencyExceeded' },
        { code: 'RateLimitExceeded' },
      ],
      wait: [{ body: 'errors.0.extensions.retry_in_seconds' }, { body: 'retry_in_seconds' }],
      seconds: 10,
    },
  },
  actions: {
    create_item: createItem,
    update_columns: updateColumns,
    get_item: getItem,
    search_items: searchItems,
    list_boards: listBoards,
    create_update: createUpdate,
    move_item: moveItem,
    create_subitem: createSubitem,
    create_group: createGroup,
    delete_item: deleteItem,
  },
  triggers: { item_created: itemCreated, column_changed: columnChanged, update_posted: updatePosted },
});

/** Sends a personal token without a scheme, as monday requires. */
function authorize(credential: Credential): Record<string, string> {
  return credential.type === 'SECRET_TEXT' ? { authorization: credential.secretText } : authorizationHeader(credential);
}
