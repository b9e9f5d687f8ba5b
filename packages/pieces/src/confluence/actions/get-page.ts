import { action } from '@drawbridge/piece-kit';
import { pagePath, toPage } from '../pages.js';
import { page } from '../properties.js';

/** Reads a page with its content as XHTML: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/#api-pages-id-get */
export const getPage = action({
  displayName: 'Get page',
  description: 'Reads a page with its content as XHTML.',
  category: 'read',
  props: { page },
  run: async ({ http, input: { page: id } }) =>
    toPage(await http.json({ method: 'GET', path: pagePath(id), query: { 'body-format': 'storage' } })),
});
