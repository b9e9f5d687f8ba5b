import { trigger } from '@drawbridge/piece-kit';
import { props, sample, teamWebhook } from './team-webhook.js';

const ISSUE = { id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9', identifier: 'ENG-123', title: 'Broken', priority: 2 };

/** Runs when an issue is created, changed or deleted: https://linear.app/developers/webhooks */
export const issue = trigger({
  kind: 'webhook',
  displayName: 'Issue changed',
  description:
    "Runs when an issue is created, changed or deleted. Needs an admin's API key or OAuth with the scope admin.",
  props,
  sample: sample('Issue', ISSUE, 'https://linear.app/acme/issue/ENG-123/broken'),
  ...teamWebhook('Issue'),
});
