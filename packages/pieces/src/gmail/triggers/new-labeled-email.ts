import { dropdown, trigger } from '@drawbridge/piece-kit';
import { arrived, labeled, pollHistory } from '../history.js';
import { label } from '../properties.js';
import { MESSAGE } from './sample.js';

/**
 * Runs when an email gets a label, including by a filter when the email arrives:
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list
 */
export const newLabeledEmail = trigger({
  kind: 'polling',
  displayName: 'New labeled email',
  description: 'Runs when an email gets a label, by a user or by a filter.',
  props: { label: dropdown('Label', { required: true, description: 'The id of a label, such as STARRED.', ...label }) },
  sample: MESSAGE,
  poll: pollHistory({
    types: ['messageAdded', 'labelAdded'],
    messages: (record, id) => [...arrived(record, id), ...labeled(record, id)],
    // Includes the record, because a label can be added to the same message again.
    id: (message, record) => `${message}/${record}`,
  }),
});
