import { action, collect, longText, tokenPaging } from '@drawbridge/piece-kit';
import { API, FIELDS, toIssue } from '../issue.js';
import { limit } from '../properties.js';

const PAGE = 100;
const pages = tokenPaging({ items: 'issues', next: 'nextPageToken', param: 'nextPageToken', in: 'json' });

/**
 * Finds issues with a JQL query: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-post
 */
export const search = action({
  displayName: 'Search',
  description:
    'Finds issues by a query in JQL, such as: project = ENG AND status = "In Progress" ORDER BY updated DESC.',
  category: 'read',
  props: {
    jql: longText('JQL', {
      required: true,
      description: 'With a condition, such as project = ENG.',
      minLength: 1,
      maxLength: 10_000,
    }),
    limit,
  },
  run: async ({ http, input: { jql, limit: count = 50 } }) => {
    const json = { jql, maxResults: Math.min(count, PAGE), fields: FIELDS };
    return (await collect(http.pages({ method: 'POST', path: `${API}/search/jql`, json }, count, pages))).map(toIssue);
  },
});
