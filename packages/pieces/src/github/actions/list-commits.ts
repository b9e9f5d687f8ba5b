import { action, dateTime, shortText } from '@drawbridge/piece-kit';
import { branch, page, repo } from '../properties.js';

/** https://docs.github.com/rest/commits/commits#list-commits */
export const listCommits = action({
  displayName: 'List commits',
  description: 'Lists the commits of a repository, newest first.',
  category: 'read',
  props: {
    repo,
    sha: branch.toRead,
    path: shortText('Path', { description: 'Only commits that changed this file or folder, such as src/index.ts.' }),
    author: shortText('Author', { description: 'A GitHub login or an email address.' }),
    since: dateTime('Since'),
    until: dateTime('Until'),
    ...page,
  },
  call: {
    method: 'GET',
    path: '/repos/{+repo}/commits',
    query: ['sha', 'path', 'author', 'since', 'until', 'per_page', 'page'],
  },
});
