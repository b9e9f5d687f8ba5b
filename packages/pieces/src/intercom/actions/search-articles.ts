import { action, collect, listAt, type Paging, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { limit } from '../properties.js';

/** The answer has one page. */
const found: Paging = { items: (body) => listAt(body, 'data', 'articles'), next: () => undefined };

/** https://developers.intercom.com/docs/references/rest-api/api.intercom.io/articles/searcharticles */
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
