import { trigger } from '@drawbridge/piece-kit';
import { props, sample, teamWebhook } from './team-webhook.js';

const COMMENT = {
  id: 'a3a7b5f0-1c2d-4e3f-8a9b-0c1d2e3f4a5b',
  body: 'Fixed',
  issueId: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
};

/** Runs when a comment is written, changed or deleted: https://linear.app/developers/webhooks */
export const comment = trigger({
  kind: 'webhook',
  displayName: 'Comment changed',
  description:
    "Runs when a comment is written, changed or deleted. Needs an admin's API key or OAuth with the scope admin.",
  props,
  sample: sample('Comment', COMMENT, 'https://linear.app/acme/issue/ENG-123/broken#comment-a3a7b5f0'),
  ...teamWebhook('Comment'),
});
