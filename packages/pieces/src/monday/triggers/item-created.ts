import { scalarAt, trigger } from '@drawbridge/piece-kit';
import { board } from '../properties.js';
import { boardWebhook, sample } from './board-webhook.js';

/** https://developer.monday.com/api-reference/reference/webhooks#sample-payload-for-webhook-events */
export const itemCreated = trigger({
  kind: 'webhook',
  displayName: 'Item created',
  description: 'Runs when an item is created on a board.',
  props: { board_id: board },
  sample: sample('create_pulse', { pulseName: 'Tea', groupId: 'topics', columnValues: {} }),
  ...boardWebhook('create_item', (event) => scalarAt(event, 'pulseId')),
});
