import { scalarAt, trigger } from '@drawbridge/piece-kit';
import { board } from '../properties.js';
import { boardWebhook, sample } from './board-webhook.js';

/** https://developer.monday.com/api-reference/reference/webhooks#sample-payload-for-webhook-events */
export const updatePosted = trigger({
  kind: 'webhook',
  displayName: 'Update posted',
  description: 'Runs when an update (a comment) is written on an item of a board.',
  props: { board_id: board },
  sample: sample('create_update', { updateId: 1190616585, replyId: null, body: '<p>Done</p>', textBody: 'Done' }),
  ...boardWebhook('create_update', (event) => scalarAt(event, 'updateId')),
});
