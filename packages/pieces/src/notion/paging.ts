import { listAt, member, textAt, type JsonObject, type Paging } from '@drawbridge/piece-kit';

/** https://developers.notion.com/reference/intro#pagination: the cursor is part of the request body. */
export const paging: Paging = {
  items: (body) => listAt(body, 'results'),
  next: ({ request, body }) => {
    const start_cursor = textAt(body, 'next_cursor');
    if (member(body, 'has_more') !== true || !start_cursor) return undefined;
    return { ...request, json: { ...(request.json as JsonObject), start_cursor } };
  },
};
