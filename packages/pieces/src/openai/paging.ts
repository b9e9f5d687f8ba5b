import { listAt, member, type Paging, textAt } from '@drawbridge/piece-kit';

/** Pages the lists of files and batches. The list of models has only one page. */
export const paging: Paging = {
  items: (body) => listAt(body, 'data'),
  next: ({ request, body }) => {
    const after = textAt(body, 'last_id');
    return member(body, 'has_more') === true && after ? { ...request, query: { ...request.query, after } } : undefined;
  },
};
