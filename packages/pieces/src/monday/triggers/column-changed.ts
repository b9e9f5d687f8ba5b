import { dropdown, scalarAt, trigger } from '@drawbridge/piece-kit';
import { columns } from '../options.js';
import { board } from '../properties.js';
import { boardWebhook, sample } from './board-webhook.js';

/** https://developer.monday.com/api-reference/reference/webhooks#sample-payload-for-webhook-events */
export const columnChanged = trigger({
  kind: 'webhook',
  displayName: 'Column changed',
  description: 'Runs when the value of a column of an item changes, with the previous and the new value.',
  props: {
    board_id: board,
    column_id: dropdown('Column', {
      description: 'Only changes of the column with this id. Absent: all columns.',
      pattern: '^[A-Za-z0-9_]{1,100}$',
      options: columns,
      refreshers: ['board_id'],
    }),
  },
  sample: sample('update_column_value', {
    ...{ pulseName: 'Tea', groupId: 'topics', columnId: 'status', columnType: 'color', columnTitle: 'Status' },
    ...{ value: { label: { index: 1, text: 'Done' } }, previousValue: null, changedAt: 1769850000.1234567 },
  }),
  ...boardWebhook('change_column_value', (event) => {
    const [item, column, at] = ['pulseId', 'columnId', 'changedAt'].map((name) => scalarAt(event, name));
    return item && column && at ? `${item} ${column} ${at}` : undefined;
  }),
});
