import { tokenPaging } from '@drawbridge/piece-kit';

/** The cursor is part of the request body, and null on the last page: https://developers.notion.com/reference/intro#pagination */
export const paging = tokenPaging({ items: 'results', next: 'next_cursor', param: 'start_cursor', in: 'json' });

/** Pages a list that is requested with GET, which has the cursor in the query. */
export const QUERY = tokenPaging({ items: 'results', next: 'next_cursor', param: 'start_cursor' });
