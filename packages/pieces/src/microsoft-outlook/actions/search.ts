import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { listGraph } from '../../microsoft.js';
import { LISTED } from '../message.js';
import { folderId, limit } from '../properties.js';

/** Finds messages, newest first, at most 1,000: https://learn.microsoft.com/graph/search-query-parameter */
export const search = action({
  displayName: 'Search messages',
  description: 'Finds messages by words of their subject, body, sender or attachments, the newest first.',
  category: 'read',
  props: {
    query: shortText('Query', {
      required: true,
      description: 'Words or KQL, such as from:ann hasAttachments:true received>=2026-01-31.',
      minLength: 1,
      maxLength: 500,
    }),
    folderId: folderId.all,
    limit,
  },
  run: async ({ http, input: { query: words, folderId: folder, limit: most } }) => {
    const path = folder ? expandPath('/v1.0/me/mailFolders/{folder}/messages', { folder }) : '/v1.0/me/messages';
    const query = { $select: LISTED, $search: `"${words.replace(/["\\]/g, '\\$&')}"` };
    return listGraph(http, path, { query, limit: most });
  },
});
