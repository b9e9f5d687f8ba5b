import { listOptions, type LoadOptions } from '@drawbridge/piece-kit';
import { cursorPages, V2 } from './pages.js';

/** Lists the spaces that the connection can access: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-space/#api-spaces-get */
export const spaces: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: `${V2}/spaces`, query: { limit: 100 } }, { paging: cursorPages });
