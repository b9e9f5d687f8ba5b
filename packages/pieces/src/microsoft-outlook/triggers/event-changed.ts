import { trigger } from '@drawbridge/piece-kit';
import { graphSubscription } from './graph-subscription.js';

/** Runs when an event of a calendar is changed or deleted: https://learn.microsoft.com/graph/outlook-change-notifications-overview */
export const eventChanged = trigger({
  kind: 'webhook',
  displayName: 'Event changed',
  description:
    'Runs when an event of a calendar is changed or deleted. The event of the trigger has the id of the calendar event.',
  props: {},
  sample: {
    id: 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0AjceA5Zzw7U2Uf7ZQXxVb1gAAAAABDQ',
    changeType: 'updated',
    resource:
      'Users/622eaaff-0683-4862-9de4-f2ec83c2bd98/Events/AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0AjceA5Zzw7U2Uf7ZQXxVb1gAAAAABDQ',
    tenantId: '84bd8158-6d4d-4958-8b9f-9d6445542f95',
  },
  ...graphSubscription({ resource: () => 'me/events', changeType: 'updated,deleted' }),
});
