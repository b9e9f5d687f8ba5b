import { tokenPaging } from '@drawbridge/piece-kit';

/** https://developers.notion.com/reference/intro#pagination: the cursor is part of the request body, and null on the last page. */
export const paging = tokenPaging({ items: 'results', next: 'next_cursor', param: 'start_cursor', in: 'json' });

/** The same for GET requests, where the cursor is in the query. */
export const QUERY = tokenPaging({ items: 'results', next: 'next_cursor', param: 'start_cursor' });
