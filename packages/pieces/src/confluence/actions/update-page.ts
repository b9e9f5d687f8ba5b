import { action, textAt } from '@drawbridge/piece-kit';
import { changePage, toStorage } from '../pages.js';
import { format, message, newText, newTitle, page } from '../properties.js';

/** Replaces the content or the title of a page: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-id-put */
export const updatePage = action({
  displayName: 'Update page',
  description:
    'Replaces the content or the title of a page, and returns the page. Confluence keeps the previous version.',
  category: 'write',
  props: { page, title: newTitle, text: newText, format, message },
  run: ({ http, input: { page: id, title, text, format: as, message: about } }) =>
    changePage(http, id, {
      ...{ title, message: about },
      ...(text !== undefined && { content: () => textAt(toStorage({ text, format: as }), 'value') ?? '' }),
    }),
});
