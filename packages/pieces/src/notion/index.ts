import { authorizationHeader, piece } from '@drawbridge/piece-kit';
import { appendBlocks } from './actions/append-blocks.js';
import { archivePage } from './actions/archive-page.js';
import { comment } from './actions/comment.js';
import { createDatabase } from './actions/create-database.js';
import { createItem } from './actions/create-item.js';
import { createPage } from './actions/create-page.js';
import { getBlockChildren } from './actions/get-block-children.js';
import { getPage } from './actions/get-page.js';
import { listComments } from './actions/list-comments.js';
import { listUsers } from './actions/list-users.js';
import { queryDataSource } from './actions/query-data-source.js';
import { search } from './actions/search.js';
import { updateItem } from './actions/update-item.js';
import { updatePage } from './actions/update-page.js';
import { uploadFile } from './actions/upload-file.js';
import { paging } from './paging.js';
import { commentCreated } from './triggers/comment-created.js';
import { itemUpdated } from './triggers/item-updated.js';
import { newItem } from './triggers/new-item.js';

export const notion = piece({
  name: 'notion',
  displayName: 'Notion',
  description: 'Reads and writes pages, databases, files and comments.',
  categories: ['PRODUCTIVITY', 'CONTENT_AND_FILES'],
  origin: 'https://api.notion.com',
  auth: {
    types: ['OAUTH2', 'SECRET_TEXT'],
    required: true,
    description:
      'Has access only to pages shared with it: those chosen while connecting, or those added to an internal integration (ntn_…).',
    test: '/v1/users/me',
    shares: ['Read and change the pages that you select at Notion'],
    keysUrl: 'https://www.notion.so/profile/integrations',
    oauth2: {
      authUrl: 'https://api.notion.com/v1/oauth/authorize',
      tokenUrl: 'https://api.notion.com/v1/oauth/token',
      // The permissions of an app are configured where it is registered.
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
    get_page: getPage,
    get_block_children: getBlockChildren,
    update_page: updatePage,
    archive_page: archivePage,
    create_database: createDatabase,
    list_comments: listComments,
    list_users: listUsers,
    upload_file: uploadFile,
  },
  triggers: { new_item: newItem, item_updated: itemUpdated, comment_created: commentCreated },
});
