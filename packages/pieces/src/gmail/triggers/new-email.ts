import { trigger } from '@drawbridge/piece-kit';
import { arrived, pollHistory } from '../history.js';
import { inLabel } from '../properties.js';
import { MESSAGE } from './sample.js';

/**
 * Runs when an email arrives in the inbox, or with another label:
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list
 */
export const newEmail = trigger({
  kind: 'polling',
  displayName: 'New email',
  description: 'Runs when an email arrives in the inbox, or with another label.',
  props: { label: inLabel },
  sample: MESSAGE,
  poll: pollHistory({ types: ['messageAdded'], messages: arrived }),
});
