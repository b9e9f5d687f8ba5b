import { action, collect } from '@drawbridge/piece-kit';
import { basePaging } from '../options.js';

/** Maximum number of bases. Airtable returns 1,000 bases per page. */
const LIMIT = 10_000;

/** Lists the bases of the connection: https://airtable.com/developers/web/api/list-bases */
export const listBases = action({
  displayName: 'List bases',
  description: 'Lists the bases of the connection with their ids, names and permission levels.',
  category: 'read',
  props: {},
  run: async ({ http }) => collect(http.pages({ method: 'GET', path: '/v0/meta/bases' }, LIMIT, basePaging)),
});
