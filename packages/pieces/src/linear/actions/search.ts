import {
  action,
  checkbox,
  dropdown,
  shortText,
  collect,
  connectionPaging,
  graphqlRequest,
} from '@drawbridge/piece-kit';
import { SEARCH_ISSUES } from '../documents.js';
import { teams } from '../options.js';
import { limit } from '../properties.js';

export const search = action({
  displayName: 'Search issues',
  description: 'Finds issues by text, best match first.',
  category: 'read',
  props: {
    term: shortText('Words', { required: true, minLength: 1, maxLength: 500 }),
    teamId: dropdown('Team first', { description: 'The id of a team. Its issues come first.', options: teams }),
    includeComments: checkbox('Search comments'),
    includeArchived: checkbox('Include archived'),
    limit,
  },
  run: async ({ http, input: { limit: count = 50, ...variables } }) => {
    const request = graphqlRequest(SEARCH_ISSUES, { ...variables, first: Math.min(count, 50) });
    return collect(http.pages(request, count, connectionPaging('searchIssues')));
  },
});
