import { authorizationHeader, type Credential, type Http, member, piece, textAt } from '@drawbridge/piece-kit';
import { createGroup } from './actions/create-group.js';
import { createItem } from './actions/create-item.js';
import { createSubitem } from './actions/create-subitem.js';
import { createUpdate } from './actions/create-update.js';
import { deleteItem } from './actions/delete-item.js';
import { getItem } from './actions/get-item.js';
import { listBoards } from './actions/list-boards.js';
import { moveItem } from './actions/move-item.js';
import { moveItemToBoard } from './actions/move-item-to-board.js';
import { searchItems } from './actions/search-items.js';
import { updateColumns } from './actions/update-columns.js';
import { ME } from './documents.js';
import { failedWhen, LIMITS } from './failed-when.js';
import { ask } from './request.js';
import { columnChanged } from './triggers/column-changed.js';
import { itemCreated } from './triggers/item-created.js';
import { updatePosted } from './triggers/update-posted.js';

export const monday = piece({
  name: 'monday',
  displayName: 'monday.com',
  description: 'Manages items, their column values, groups and updates on boards.',
  categories: ['PRODUCTIVITY'],
  origin: 'https://api.monday.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description: 'Copy a personal API token from "Developers", "API token" of your profile menu in monday.com.',
    test: (http: Http) => http.json(ask(ME)),
    afterConnect,
    // The OAuth flow of the provider is documented at https://developer.monday.com/apps/docs/oauth
    oauth2: {
      authUrl: 'https://auth.monday.com/oauth2/authorize',
      tokenUrl: 'https://auth.monday.com/oauth2/token',
      scopes: [
        ...['me:read', 'account:read', 'boards:read', 'boards:write', 'updates:read', 'updates:write'],
        ...['users:read', 'workspaces:read', 'webhooks:read', 'webhooks:write'],
      ],
      refresh: 'none',
    },
  },
  http: {
    // Each version is supported for nine months: https://developer.monday.com/api-reference/docs/api-versioning
    headers: { 'api-version': '2026-01' },
    authorize,
    failedWhen,
    // A response that means a limit can have the status 200: https://developer.monday.com/api-reference/docs/rate-limits
    rateLimit: {
      when: LIMITS.map((code) => ({ code })),
      wait: [{ body: 'errors.0.extensions.retry_in_seconds' }],
      except: [{ code: 'DAILY_LIMIT_EXCEEDED' }],
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
    move_item_to_board: moveItemToBoard,
    create_subitem: createSubitem,
    create_group: createGroup,
    delete_item: deleteItem,
  },
  triggers: { item_created: itemCreated, column_changed: columnChanged, update_posted: updatePosted },
});

/** Sends a token without a scheme: https://developer.monday.com/api-reference/docs/authentication */
function authorize(credential: Credential): Record<string, string> {
  const { authorization = '' } = authorizationHeader(credential);
  return { authorization: authorization.replace(/^Bearer /i, '') };
}

async function afterConnect(http: Http) {
  const me = member(await http.json(ask(ME)), 'data', 'me');
  const [slug, account, email] = [textAt(me, 'account', 'slug'), textAt(me, 'account', 'name'), textAt(me, 'email')];
  const label = [account, email].filter(Boolean).join(', ');
  return { ...(slug && { data: { slug } }), ...(label && { label }) };
}
