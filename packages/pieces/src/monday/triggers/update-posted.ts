import { trigger } from '@drawbridge/piece-kit';
import { board } from '../properties.js';
import { boardWebhook } from './board-webhook.js';

/**
 * Runs when an update is posted to an item of a board:
 * https://developer.monday.com/api-reference/reference/webhooks#sample-payload-for-webhook-events
 */
export const updatePosted = trigger({
  kind: 'webhook',
  displayName: 'Update posted',
  description: 'Runs when an update is posted to an item of a board. The event has its text as "textBody".',
  props: { board_id: board },
  sample: {
    ...{ type: 'create_update', userId: 9603417, boardId: 1771812698, pulseId: 1771812728, updateId: 1190616585 },
    ...{ body: '<p>Hi</p>', textBody: 'Hi', replyId: null, app: 'monday' },
    ...{ triggerTime: '2026-01-31T09:00:00.000Z', subscriptionId: 73759733 },
  },
  ...boardWebhook<{ board_id: string }>({
    subscribed: () => ({ event: 'create_update' }),
    type: 'create_update',
    idOf: ['updateId'],
  }),
});
