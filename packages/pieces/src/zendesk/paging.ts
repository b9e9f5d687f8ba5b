import { member, type Paging, urlPaging } from '@drawbridge/piece-kit';

/** The maximum page size. */
export const PAGE = 100;

/**
 * Pages a list by the link to the next page, which is ignored on the last page, because it leads to an empty page there:
 * https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination
 */
export function cursorPages(items: string): Paging {
  const paging = urlPaging({ items, next: 'links.next' });
  const next: Paging['next'] = (page) =>
    member(page.body, 'meta', 'has_more') === false ? undefined : paging.next(page);
  return { ...paging, next };
}
/** The query for the first page of a list with cursors. */
export const FIRST = { 'page[size]': PAGE };

/**
 * Pages of a list are requested by the URL of the next page:
 * https://developer.zendesk.com/api-reference/introduction/pagination/#using-offset-pagination
 */
export const offsetPages = (items: string) => urlPaging({ items, next: 'next_page' });
