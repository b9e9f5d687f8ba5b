import { action, collect, type Paging, shortText, staticDropdown, tokenPaging, urlPaging } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { limit } from '../properties.js';

/** Intercom documents that the next page is a cursor (`cursor_pages`), but returns its URL for other lists of articles. */
const byCursor = tokenPaging({ items: 'data.articles', next: 'pages.next.starting_after', param: 'starting_after' });
const byUrl = urlPaging({ items: 'data.articles', next: 'pages.next' });
const found: Paging = { ...byCursor, next: (page) => byCursor.next(page) ?? byUrl.next(page) };

/** Finds articles of the help center by words: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/articles/searcharticles */
export const searchArticles = action({
  displayName: 'Search articles',
  description: 'Finds articles of the help center by words.',
  category: 'read',
  props: {
    phrase: shortText('Words', { required: true, description: 'The words to find.', minLength: 1, maxLength: 500 }),
    state: staticDropdown('State', ['published', 'draft', 'all'], { description: 'Defaults to published.' }),
    limit,
  },
  run: async ({ http, input: { phrase, state = 'published', limit: count = 20 } }) => {
    const request = { method: 'GET', path: '/articles/search', query: { phrase, state } } as const;
    const articles = await collect(http.pages(request, count, found));
    return articles.map((article) =>
      pickFields(article, same('id', 'title', 'description', 'state', 'url', 'updated_at')),
    );
  },
});
