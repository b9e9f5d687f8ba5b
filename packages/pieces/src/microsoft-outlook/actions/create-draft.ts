import { action } from '@drawbridge/piece-kit';
import { withoutAnnotations } from '../../microsoft.js';
import { toMessage } from '../message.js';
import { addresses, messageFields } from '../properties.js';

/** Saves an email in the drafts folder without sending it: https://learn.microsoft.com/graph/api/user-post-messages */
export const createDraft = action({
  displayName: 'Create draft',
  description: 'Saves an email in the drafts folder without sending it. Returns the message with its id and its link.',
  category: 'write',
  adds: true,
  props: { to: addresses.draft, ...messageFields },
  run: async ({ http, input }) =>
    withoutAnnotations(await http.json({ method: 'POST', path: '/v1.0/me/messages', json: toMessage(input) })),
});
