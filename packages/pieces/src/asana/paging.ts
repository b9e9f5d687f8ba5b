import { tokenPaging } from '@drawbridge/piece-kit';

/** Pages of a list are requested by offset: https://developers.asana.com/docs/pagination */
export const paging = tokenPaging({ items: 'data', next: 'next_page.offset', param: 'offset' });

/** The maximum page size. */
export const PAGE = 100;
