import { action, textAt } from '@drawbridge/piece-kit';
import { changePage, toStorage } from '../pages.js';
import { format, message, page, text } from '../properties.js';

/** Adds content at the end of a page: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-id-put */
export const append = action({
  displayName: 'Append to page',
  description: 'Adds content at the end of a page, and returns the page.',
  category: 'write',
  props: { page, text, format, message },
  run: ({ http, input: { page: id, message: about, ...written } }) =>
    changePage(http, id, {
      message: about,
      content: (before) => before + (textAt(toStorage(written), 'value') ?? ''),
    }),
});
