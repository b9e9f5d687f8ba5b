import { urlPaging } from '@drawbridge/piece-kit';

/** The largest page. */
export const PAGE = 100;

/** https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination */
export const cursorPages = (items: string) => urlPaging({ items, next: 'links.next' });
/** The first page of a list with cursors. */
export const FIRST = { 'page[size]': PAGE };

/** https://developer.zendesk.com/api-reference/introduction/pagination/#using-offset-pagination */
export const offsetPages = (items: string) => urlPaging({ items, next: 'next_page' });
