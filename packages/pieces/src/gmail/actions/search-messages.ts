import { action, checkbox, listAt, multiSelect, shortText, textAt, type JsonObject } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
import { IN_LIST, toMessage, toSummary } from '../message.js';
import { includeSpamTrash, label } from '../properties.js';
import { MAILBOX, readListed } from '../requests.js';

/** Finds messages with a search query: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/list */
export const searchMessages = action({
  displayName: 'Search messages',
  description:
    'Finds messages, newest first. Returns their ids, addresses, subjects, dates and snippets, and a nextPageToken if there are more.',
  category: 'read',
  props: {
    q: shortText('Query', {
      description: 'Gmail search: from:ann@acme.example is:unread newer_than:7d. Defaults to all.',
      maxLength: 2_000,
    }),
    labelIds: multiSelect('Labels', { description: 'Ids of labels. A message must have all of them.', ...label }),
    withBodies: checkbox('With bodies', {
      description: 'Returns also texts of at most 20,000 characters, and names and ids of attachments.',
    }),
    limit: itemLimit({ defaultsTo: 10, maximum: 50 }),
    pageToken: shortText('Page token', { description: 'The nextPageToken of the page before.', maxLength: 500 }),
    includeSpamTrash,
  },
  run: async ({ http, input: { withBodies = false, limit = 10, ...query } }) => {
    const path = `${MAILBOX}/messages`;
    const page = await http.json({ method: 'GET', path, query: { ...query, maxResults: limit } });
    const items: JsonObject[] = [];
    for (const listed of listAt(page, 'messages')) {
      const message = await readListed(http, textAt(listed, 'id') ?? '', withBodies ? 'full' : 'metadata');
      if (message !== undefined) items.push(withBodies ? toMessage(message, IN_LIST) : toSummary(message));
    }
    return { items, nextPageToken: textAt(page, 'nextPageToken') ?? null };
  },
});
