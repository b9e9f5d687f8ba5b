import { action, dropdown, longText } from '@drawbridge/piece-kit';
import { pages } from '../options.js';
import { toRichText } from '../rich-text.js';

/** Comments on a page: https://developers.notion.com/reference/create-a-comment */
export const comment = action({
  displayName: 'Comment',
  description: 'Comments on a page and returns the comment. The connection needs the capability to insert comments.',
  category: 'write',
  adds: true,
  props: {
    page_id: dropdown('Page', { required: true, description: 'The id of a page.', options: pages }),
    text: longText('Comment', { required: true, minLength: 1, maxLength: 20_000 }),
  },
  run: async ({ http, input: { page_id, text } }) =>
    http.json({
      method: 'POST',
      path: '/v1/comments',
      json: { parent: { page_id }, rich_text: toRichText(text).map(({ text: piece = {} }) => ({ text: piece })) },
    }),
});
