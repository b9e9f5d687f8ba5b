import { dropdown, trigger } from '@drawbridge/piece-kit';
import { columns } from '../options.js';
import { board } from '../properties.js';
import { boardWebhook } from './board-webhook.js';

/**
 * Runs when a value of a column of a board changes: https://developer.monday.com/api-reference/reference/webhooks#sample-payload-for-webhook-events
 */
export const columnChanged = trigger({
  kind: 'webhook',
  displayName: 'Column changed',
  description:
    'Runs when a value of a column of a board changes. The event has the new value as "value" and the old one as "previousValue".',
  props: {
    board_id: board,
    column_id: dropdown('Column', {
      description: 'The id of a column, such as status. Defaults to all columns.',
      maxLength: 100,
      refreshers: ['board_id'],
      options: columns,
    }),
  },
  sample: {
    ...{ type: 'update_column_value', userId: 9603417, boardId: 1771812698, groupId: 'topics', pulseId: 1771812728 },
    ...{ pulseName: 'Tea', columnId: 'status', columnType: 'color', columnTitle: 'Status' },
    ...{ value: { label: { index: 1, text: 'Done' } }, previousValue: null, changedAt: 1_769_850_000.9457765 },
    ...{ app: 'monday', triggerTime: '2026-01-31T09:00:00.000Z', subscriptionId: 73759732 },
  },
  ...boardWebhook<{ board_id: string; column_id?: string }>({
    subscribed: ({ column_id: columnId }) =>
      columnId ? { event: 'change_specific_column_value', config: { columnId } } : { event: 'change_column_value' },
    type: 'update_column_value',
    idOf: ['pulseId', 'columnId', 'changedAt'],
  }),
});
