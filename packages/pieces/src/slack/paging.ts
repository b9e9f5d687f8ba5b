import { listAt, member, textAt, type Paging } from '@drawbridge/piece-kit';

/** Pages most lists: https://docs.slack.dev/apis/web-api/pagination. An empty cursor ends the list. */
export const byCursor = (key: string): Paging => ({
  items: (body) => listAt(body, key),
  next: ({ request, body }) => {
    const cursor = textAt(body, 'response_metadata', 'next_cursor');
    return cursor ? { ...request, query: { ...request.query, cursor } } : undefined;
  },
});

/** Pages search results, which have numbered pages. */
export const byNumber: Paging = {
  items: (body) => listAt(body, 'messages', 'matches'),
  next: ({ request, body }) => {
    const [page, pages] = [member(body, 'messages', 'paging', 'page'), member(body, 'messages', 'paging', 'pages')];
    if (typeof page !== 'number' || typeof pages !== 'number' || page >= pages) return undefined;
    return { ...request, query: { ...request.query, page: page + 1 } };
  },
};
