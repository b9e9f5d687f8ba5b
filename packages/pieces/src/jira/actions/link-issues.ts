import { action, dropdown, shortText } from '@drawbridge/piece-kit';
import { API } from '../issue.js';
import { linkTypes } from '../options.js';

const KEY = { required: true, pattern: '^[A-Za-z0-9_-]{1,100}$' } as const;

/** Links two issues: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-links/#api-rest-api-3-issuelink-post */
export const linkIssues = action({
  displayName: 'Link issues',
  description: 'Links two issues: "ENG-1 blocks ENG-2".',
  category: 'write',
  adds: true,
  props: {
    from: shortText('From', { ...KEY, description: 'The key of the first issue: the one that blocks.' }),
    type: dropdown('Link', {
      required: true,
      description: 'The name of a type of links, such as Blocks.',
      maxLength: 255,
      options: linkTypes,
    }),
    to: shortText('To', { ...KEY, description: 'The key of the second issue: the one that is blocked.' }),
  },
  run: async ({ http, input: { from, type, to } }) => {
    // The inward issue in Jira's API is the issue that shows the outward text.
    const json = { type: { name: type }, inwardIssue: { key: from }, outwardIssue: { key: to } };
    await http.request({ method: 'POST', path: `${API}/issueLink`, json });
  },
});
