import { trigger } from '@drawbridge/piece-kit';
import { odataText } from '../../microsoft.js';
import { folderId } from '../properties.js';
import { graphSubscription } from './graph-subscription.js';

/** Runs when a message arrives in a folder: https://learn.microsoft.com/graph/outlook-change-notifications-overview */
export const newMail = trigger({
  kind: 'webhook',
  displayName: 'New mail',
  description:
    'Runs when a message arrives in a folder. The event has the id of the message: read it with Get message.',
  props: { folderId: folderId.inbox },
  sample: {
    id: 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0AjceA5Zzw7U2Uf7ZQXxVb1gAAAAAAAQ',
    changeType: 'created',
    resource:
      'Users/622eaaff-0683-4862-9de4-f2ec83c2bd98/Messages/AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0AjceA5Zzw7U2Uf7ZQXxVb1gAAAAAAAQ',
    tenantId: '84bd8158-6d4d-4958-8b9f-9d6445542f95',
  },
  ...graphSubscription<{ folderId?: string }>({
    resource: ({ folderId: folder = 'inbox' }) => `me/mailFolders(${odataText(folder)})/messages`,
    changeType: 'created',
  }),
});
