import { action, checkbox, dateTime, expandPath, shortText } from '@drawbridge/piece-kit';
import { listGraph, odataText } from '../../microsoft.js';
import { LISTED } from '../message.js';
import { folderId, limit } from '../properties.js';

interface Wanted {
  unreadOnly?: boolean;
  from?: string;
  since?: string;
  before?: string;
}

/** Lists the messages of a folder: https://learn.microsoft.com/graph/api/user-list-messages */
export const listMessages = action({
  displayName: 'List messages',
  description: 'Lists the messages of a folder, the newest first. Returns their senders, subjects and beginnings.',
  category: 'read',
  props: {
    folderId: folderId.inbox,
    unreadOnly: checkbox('Unread only', { description: 'Omits messages that are read.' }),
    from: shortText('From', { description: 'The email address of the sender.', minLength: 3, maxLength: 320 }),
    since: dateTime('Since', { description: 'Messages that were received at this time or later.' }),
    before: dateTime('Before', { description: 'Messages that were received earlier than this time.' }),
    limit,
  },
  run: async ({ http, input: { folderId: folder = 'inbox', limit: most, ...wanted } }) => {
    const query = { $select: LISTED, $orderby: 'receivedDateTime desc', $filter: toFilter(wanted) };
    return listGraph(http, expandPath('/v1.0/me/mailFolders/{folder}/messages', { folder }), { query, limit: most });
  },
});

/** Graph rejects a filter as inefficient unless it begins with the field that sorts the list. The default time therefore matches all messages. */
function toFilter({ unreadOnly = false, from, since = '1900-01-01T00:00:00Z', before }: Wanted): string {
  return [
    `receivedDateTime ge ${toUtc(since)}`,
    ...(before ? [`receivedDateTime lt ${toUtc(before)}`] : []),
    ...(unreadOnly ? ['isRead eq false'] : []),
    ...(from ? [`from/emailAddress/address eq ${odataText(from)}`] : []),
  ].join(' and ');
}

const toUtc = (time: string): string => new Date(time).toISOString();
