import { listAt, member, textAt, type Paging } from '@drawbridge/piece-kit';

/** https://docs.stripe.com/api/pagination: lists continue after the last id; search results have a cursor. */
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
