import { action, dateTime, expandPath, shortText } from '@drawbridge/piece-kit';
import { rawByDefault, readPage } from '../answers.js';
import { COMMIT } from '../fields.js';
import { branch, page, repo } from '../properties.js';

/** Lists the commits of a repository: https://docs.github.com/rest/commits/commits#list-commits */
export const listCommits = action({
  displayName: 'List commits',
  description: 'Lists the commits of a repository, newest first.',
  category: 'read',
  props: {
    repo,
    sha: branch.toRead,
    path: shortText('Path', { description: 'Only commits that changed it, such as src/index.ts.' }),
    author: shortText('Author', { description: 'A GitHub login or an email address.' }),
    since: dateTime('Since'),
    until: dateTime('Until'),
    ...page,
    raw: rawByDefault,
  },
  run: async ({ http, input }) => {
    const { sha, path, author, since, until, per_page, page, raw = true } = input;
    const query = { sha, path, author, since, until, per_page, page };
    const request = { method: 'GET', path: expandPath('/repos/{+repo}/commits', input), query };
    return raw ? http.json(request) : readPage(http, request, { fields: COMMIT, isRaw: false });
  },
});
