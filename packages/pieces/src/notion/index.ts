import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { appendBlocks } from './actions/append-blocks.js';
import { comment } from './actions/comment.js';
import { createItem } from './actions/create-item.js';
import { createPage } from './actions/create-page.js';
import { queryDataSource } from './actions/query-data-source.js';
import { search } from './actions/search.js';
import { updateItem } from './actions/update-item.js';
import { paging } from './paging.js';
import { newItem } from './triggers/new-item.js';

export const notion = piece({
  name: 'notion',
  displayName: 'Notion',
  description: 'Reads and writes pages, databases and comments.',
  categories: ['PRODUCTIVITY', 'CONTENT_AND_FILES'],
  origin: 'https://api.notion.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description:
      'Has access only to pages shared with it: those chosen while connecting, or those added to an internal integration (ntn_…).',
    test: '/v1/users/me',
    oauth2: {
      authUrl: 'https://api.notion.com/v1/oauth/authorize',
      tokenUrl: 'https://api.notion.com/v1/oauth/token',
      // The permissions of an app are set where it is registered.
      scopes: [],
      authParams: { owner: 'user' },
      clientAuth: 'basic',
      tokenBody: 'json',
      keep: { workspaceId: 'workspace_id', workspaceName: 'workspace_name', botId: 'bot_id' },
      refresh: 'none',
      revoke: { url: 'https://api.notion.com/v1/oauth/revoke', token: 'access', body: 'json' },
    },
  },
  http: {
    headers: { 'notion-version': '2025-09-03' },
    authorize: authorizationHeader,
    paging,
  },
  actions: {
    create_page: createPage,
    append_blocks: appendBlocks,
    query_data_source: queryDataSource,
    create_item: createItem,
    update_item: updateItem,
    search,
    comment,
  },
  triggers: { new_item: newItem },
});
