import { listAt, member, tokenPaging, type Paging } from '@drawbridge/piece-kit';

/** Pages most lists. An empty cursor ends the list: https://docs.slack.dev/apis/web-api/pagination */
export const byCursor = (items: string): Paging =>
  tokenPaging({ items, next: 'response_metadata.next_cursor', param: 'cursor' });

/** Pages search results, which have numbered pages. */
export const byNumber: Paging = {
  items: (body) => listAt(body, 'messages', 'matches'),
  next: ({ request, body }) => {
    const [page, pages] = [member(body, 'messages', 'paging', 'page'), member(body, 'messages', 'paging', 'pages')];
    if (typeof page !== 'number' || typeof pages !== 'number' || page >= pages) return undefined;
    return { ...request, query: { ...request.query, page: page + 1 } };
  },
};
