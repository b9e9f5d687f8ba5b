import { listAt, member, textAt, type Paging } from '@drawbridge/piece-kit';

/** https://docs.stripe.com/api/pagination: after the last id; what was searched for has a cursor of its own. */
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
