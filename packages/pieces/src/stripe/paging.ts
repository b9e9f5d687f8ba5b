import { listAt, member, textAt, type Paging } from '@drawbridge/piece-kit';

/** Lists continue after the last id, and search results have a cursor: https://docs.stripe.com/api/pagination */
export const paging: Paging = {
  items: (body) => listAt(body, 'data'),
  next: ({ request, body }) => {
    if (member(body, 'has_more') !== true) return undefined;
    const page = textAt(body, 'next_page');
    const last = textAt(listAt(body, 'data').at(-1), 'id');
    const cursor = page ? { page } : last && { starting_after: last };
    return cursor ? { ...request, query: { ...request.query, ...cursor } } : undefined;
  },
};
