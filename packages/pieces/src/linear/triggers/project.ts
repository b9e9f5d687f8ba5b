import { trigger } from '@drawbridge/piece-kit';
import { props, sample, teamWebhook } from './team-webhook.js';

const PROJECT = { id: '5b1e2d3c-4f5a-4b6c-9d7e-8f9a0b1c2d3e', name: 'Launch', state: 'started', progress: 0.4 };

/** Runs when a project is created, changed or deleted: https://linear.app/developers/webhooks */
export const project = trigger({
  kind: 'webhook',
  displayName: 'Project changed',
  description:
    "Runs when a project is created, changed or deleted. Needs an admin's API key or OAuth with the scope admin.",
  props,
  sample: sample('Project', PROJECT, 'https://linear.app/acme/project/launch-5b1e2d3c4f5a'),
  ...teamWebhook('Project'),
});
