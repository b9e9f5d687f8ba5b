import { piece } from '@drawbridge/piece-kit';
import { ATLASSIAN, atlassianAuth, atlassianHttp } from '../atlassian.js';
import { addAttachment } from './actions/add-attachment.js';
import { addLabel } from './actions/add-label.js';
import { append } from './actions/append.js';
import { comment } from './actions/comment.js';
import { createPage } from './actions/create-page.js';
import { getPage } from './actions/get-page.js';
import { listChildren } from './actions/list-children.js';
import { listSpaces } from './actions/list-spaces.js';
import { search } from './actions/search.js';
import { updatePage } from './actions/update-page.js';
import { commentCreated } from './triggers/comment-created.js';
import { pageCreated } from './triggers/page-created.js';
import { pageUpdated } from './triggers/page-updated.js';

export const confluence = piece({
  name: 'confluence',
  displayName: 'Confluence',
  description: 'Finds, reads, writes and discusses pages of Confluence Cloud.',
  categories: ['CONTENT_AND_FILES', 'PRODUCTIVITY'],
  origin: { OAUTH2: `${ATLASSIAN}/ex/confluence/{cloudId}`, CUSTOM_AUTH: 'https://{site}.atlassian.net' },
  origins: [ATLASSIAN],
  auth: atlassianAuth(
    // In the first version of the API, attachments and labels also need the scope to read the page or the label.
    [
      'read:page:confluence',
      'write:page:confluence',
      'read:space:confluence',
      'read:comment:confluence',
      'write:comment:confluence',
      'write:attachment:confluence',
      'read:attachment:confluence',
      'read:content-details:confluence',
      'write:label:confluence',
      'read:label:confluence',
      'search:confluence',
    ],
    '/wiki/api/v2/spaces?limit=1',
  ),
  http: atlassianHttp,
  actions: {
    search,
    get_page: getPage,
    create_page: createPage,
    update_page: updatePage,
    append,
    comment,
    list_spaces: listSpaces,
    list_children: listChildren,
    add_attachment: addAttachment,
    add_label: addLabel,
  },
  triggers: { page_created: pageCreated, page_updated: pageUpdated, comment_created: commentCreated },
});
