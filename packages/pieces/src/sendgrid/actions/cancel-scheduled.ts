import { action, shortText } from '@drawbridge/piece-kit';

/**
 * Cancels the scheduled emails of a batch: https://www.twilio.com/docs/sendgrid/api-reference/cancel-scheduled-sends/cancel-or-pause-a-scheduled-send
 */
export const cancelScheduled = action({
  displayName: 'Cancel scheduled email',
  description:
    'Cancels the scheduled emails of a batch, until 10 minutes before they are due. At most 10 batches can be cancelled at a time.',
  category: 'write',
  props: {
    batch_id: shortText('Batch', {
      required: true,
      description: 'The "batch_id" that the scheduling returned.',
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: 100,
    }),
  },
  call: {
    method: 'POST',
    path: '/v3/user/scheduled_sends',
    body: { batch_id: 'batch_id', status: { constant: 'cancel' } },
  },
});
