import { shortText, textAt, trigger } from '@drawbridge/piece-kit';
import { repo } from '../properties.js';
import { repositoryHook } from './repository-hook.js';

/**
 * Runs when a review of a pull request is requested, which is an action of the event `pull_request`:
 * https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request
 */
export const reviewRequested = trigger({
  kind: 'webhook',
  displayName: 'Review requested',
  description: 'Runs when a user or a team is asked to review a pull request.',
  props: {
    repo,
    reviewer: shortText('Reviewer', {
      description: 'The login of a user or the slug of a team. Defaults to all.',
      minLength: 1,
    }),
  },
  sample: {
    action: 'review_requested',
    number: 2,
    pull_request: {
      id: 279147437,
      number: 2,
      state: 'open',
      title: 'Update the README',
      draft: false,
      html_url: 'https://github.com/octocat/hello-world/pull/2',
      user: { login: 'octocat', id: 1 },
      head: { ref: 'changes', sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821' },
      base: { ref: 'main', sha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e' },
    },
    requested_reviewer: { login: 'hubot', id: 2 },
    repository: { id: 1296269, name: 'hello-world', full_name: 'octocat/hello-world' },
    sender: { login: 'octocat', id: 1 },
  },
  ...repositoryHook('pull_request', (payload, { reviewer }: { repo: string; reviewer?: string }) => {
    const asked = [textAt(payload, 'requested_reviewer', 'login'), textAt(payload, 'requested_team', 'slug')];
    return payload['action'] === 'review_requested' && (!reviewer || asked.includes(reviewer));
  }),
});
