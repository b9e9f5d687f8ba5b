import { connectionPaging, dropdown, graphqlRequest, newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { NEW_ISSUES } from '../documents.js';
import { teams } from '../options.js';

/** Maximum number of issues that one poll reads. */
const MAX_ISSUES = 1_000;

/** Runs when an issue is created. Polls, for API keys of users that may not create webhooks: https://linear.app/developers/pagination */
export const newIssue = trigger({
  kind: 'polling',
  displayName: 'New issue',
  description: 'Runs when an issue is created. Needs no admin.',
  props: { teamId: dropdown('Team', { description: 'Defaults to all teams.', options: teams }) },
  sample: {
    ...{ id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9', identifier: 'ENG-123', title: 'Broken', priority: 2 },
    ...{ url: 'https://linear.app/acme/issue/ENG-123/broken', createdAt: '2026-01-31T09:00:00.000Z' },
  },
  poll: newSince<{ teamId?: string }>({
    list: ({ http, input: { teamId } }, since) => {
      const filter = {
        ...(teamId && { team: { id: { eq: teamId } } }),
        ...(since && { createdAt: { gte: since.toISOString() } }),
      };
      return http.pages(graphqlRequest(NEW_ISSUES, { filter, first: 50 }), MAX_ISSUES, connectionPaging('issues'));
    },
    time: (issue) => textAt(issue, 'createdAt'),
    id: (issue) => textAt(issue, 'id'),
  }),
});
