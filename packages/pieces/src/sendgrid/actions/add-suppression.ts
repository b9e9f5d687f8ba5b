import { action, expandPath } from '@drawbridge/piece-kit';
import { emails, suppressionGroup } from '../properties.js';

/**
 * Adds addresses to the suppressions of an unsubscribe group or of all emails:
 * https://www.twilio.com/docs/sendgrid/api-reference/suppressions-suppressions/add-suppressions-to-a-suppression-group
 */
export const addSuppression = action({
  displayName: 'Add suppression',
  description: 'Stops emails to addresses, for an unsubscribe group or for all emails. Returns the addresses.',
  category: 'write',
  adds: true,
  idempotent: true,
  props: { emails, group: suppressionGroup },
  run: async ({ http, input: { emails: recipient_emails, group } }) => {
    const path = group ? expandPath('/v3/asm/groups/{group}/suppressions', { group }) : '/v3/asm/suppressions/global';
    return http.json({ method: 'POST', path, json: { recipient_emails } });
  },
});
