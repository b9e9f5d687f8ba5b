import { trigger } from '@drawbridge/piece-kit';
import { board } from '../properties.js';
import { boardWebhook } from './board-webhook.js';

/** Runs when an item is created on a board: https://developer.monday.com/api-reference/reference/webhooks#sample-payload-for-webhook-events */
export const itemCreated = trigger({
  kind: 'webhook',
  displayName: 'Item created',
  description: 'Runs when an item is created on a board. The event has the item as "pulseId" and its column values.',
  props: { board_id: board },
  sample: {
    ...{ type: 'create_pulse', userId: 9603417, boardId: 1771812698, pulseId: 1772099344, pulseName: 'Tea' },
    ...{ groupId: 'topics', groupName: 'Group Title', columnValues: {}, app: 'monday' },
    ...{ triggerTime: '2026-01-31T09:00:00.000Z', subscriptionId: 73759690 },
  },
  ...boardWebhook<{ board_id: string }>({
    subscribed: () => ({ event: 'create_item' }),
    type: 'create_pulse',
    idOf: ['pulseId'],
  }),
});
