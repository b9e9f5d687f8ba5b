import { action, expandPath } from '@drawbridge/piece-kit';
import { email, suppressionGroup } from '../properties.js';

/**
 * Removes an address from the suppressions of an unsubscribe group or of all emails:
 * https://www.twilio.com/docs/sendgrid/api-reference/suppressions-suppressions/delete-a-suppression-from-a-suppression-group
 */
export const removeSuppression = action({
  displayName: 'Remove suppression',
  description:
    'Allows emails to an address again, for an unsubscribe group or for all emails. Use it only if the recipient asked for it.',
  category: 'delete',
  idempotent: true,
  props: { email, group: suppressionGroup },
  run: async ({ http, input }) => {
    const template = input.group
      ? '/v3/asm/groups/{group}/suppressions/{email}'
      : '/v3/asm/suppressions/global/{email}';
    await http.request({ method: 'DELETE', path: expandPath(template, input) });
    return {};
  },
});
