import { action, graphqlRequest, shortText } from '@drawbridge/piece-kit';
import { ATTACH_LINK } from '../documents.js';
import { issueId } from '../properties.js';
import { resultOf } from '../result-of.js';

/** Adds a link to an issue. A second link to the same URL changes the first: https://linear.app/developers/attachments */
export const addLink = action({
  displayName: 'Add link',
  description: 'Attaches a link to an issue, and returns the attachment.',
  category: 'write',
  idempotent: true,
  props: {
    issueId,
    url: shortText('URL', { required: true, description: 'The URL.', pattern: '^https?://', maxLength: 2_048 }),
    title: shortText('Title', { description: 'Defaults to the title of the page.', maxLength: 500 }),
  },
  run: async ({ http, input }) =>
    resultOf(await http.json(graphqlRequest(ATTACH_LINK, input)), 'attachmentLinkURL', 'attachment'),
});
