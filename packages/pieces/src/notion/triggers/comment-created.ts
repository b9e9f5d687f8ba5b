import {
  collect,
  dropdown,
  type Http,
  type JsonValue,
  newSince,
  ProviderError,
  textAt,
  trigger,
} from '@drawbridge/piece-kit';
import { toComment } from '../answers.js';
import { pages } from '../options.js';
import { QUERY } from '../paging.js';

const LIMIT = 10_000;
const CREATED = 'created_time';

/** Polls, because users must create Notion webhooks manually in its settings. */
export const commentCreated = trigger({
  kind: 'polling',
  displayName: 'New comment',
  description: 'Runs when a comment is added to a page. Comments on its blocks are not found.',
  props: {
    block_id: dropdown('Page', { required: true, description: 'The id of a page, or of one block.', options: pages }),
  },
  sample: {
    id: '94cc56ab-9f02-409d-9f99-1037e9fe502f',
    discussion_id: 'f1407351-36f5-4c49-a13c-49f8ba11776d',
    created_time: '2026-01-31T09:00:00.000Z',
    last_edited_time: '2026-01-31T09:00:00.000Z',
    created_by: '9b15170a-9941-4297-8ee6-83fa7649a87a',
    text: 'Looks good.',
  },
  poll: newSince<{ block_id: string }>({
    order: 'oldest first',
    list: ({ http, input }, since) => listed(http, input.block_id, since),
    time: (comment) => textAt(comment, CREATED),
    id: (comment) => textAt(comment, 'id'),
    data: toComment,
  }),
});

/**
 * Reads all comments, because Notion returns them oldest first and cannot filter them by time. The first poll needs them newest first. Throws
 * ProviderError if the limit is reached, because the newest comments are then not read.
 */
async function* listed(http: Http, block_id: string, since: Date | undefined): AsyncGenerator<JsonValue> {
  const query = { block_id, page_size: 100 };
  const comments = await collect(http.pages({ method: 'GET', path: '/v1/comments', query }, LIMIT, QUERY));
  if (comments.length >= LIMIT)
    throw new ProviderError(
      `New comments of ${block_id} cannot be found, because it has ${LIMIT} or more open ones and Notion lists the oldest first. Resolve some of them`,
    );
  yield* since ? comments : comments.reverse();
}
