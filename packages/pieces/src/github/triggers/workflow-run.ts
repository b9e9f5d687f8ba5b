import { dropdown, staticDropdown, staticMultiSelect, textAt, trigger, type JsonObject } from '@drawbridge/piece-kit';
import { ofRepository } from '../options.js';
import { repo } from '../properties.js';
import { isSelected, repositoryHook } from './repository-hook.js';

interface Wanted {
  repo: string;
  actions?: string[];
  conclusion?: string;
  branch?: string;
}

/** Runs when a workflow of GitHub Actions completes: https://docs.github.com/webhooks/webhook-events-and-payloads#workflow_run */
export const workflowRun = trigger({
  kind: 'webhook',
  displayName: 'Workflow run',
  description: 'Runs when a workflow of GitHub Actions completes. workflow_run.conclusion is its result.',
  props: {
    repo,
    actions: staticMultiSelect('Changes', ['completed', 'in_progress', 'requested'], {
      description: 'Defaults to completed.',
    }),
    conclusion: staticDropdown(
      'Result',
      [
        'success',
        'failure',
        'cancelled',
        'timed_out',
        'action_required',
        'neutral',
        'skipped',
        'stale',
        'startup_failure',
      ],
      { description: 'Only completed runs with this result.' },
    ),
    branch: dropdown('Branch', {
      description: 'Only runs for this branch, such as main.',
      refreshers: ['repo'],
      options: ofRepository('branches', 'name'),
    }),
  },
  sample: {
    action: 'completed',
    workflow_run: {
      id: 30433642,
      name: 'Build',
      run_number: 562,
      run_attempt: 1,
      event: 'push',
      status: 'completed',
      conclusion: 'failure',
      head_branch: 'main',
      head_sha: 'acb5820ced9479c074f688cc328bf03f341a511d',
      html_url: 'https://github.com/octocat/hello-world/actions/runs/30433642',
    },
    workflow: { id: 159038, name: 'Build', path: '.github/workflows/build.yml' },
    repository: { id: 1296269, name: 'hello-world', full_name: 'octocat/hello-world' },
    sender: { login: 'octocat', id: 1 },
  },
  ...repositoryHook('workflow_run', isWanted),
});

function isWanted(payload: JsonObject, input: Wanted): boolean {
  const { conclusion, branch } = input;
  const hasResult = !conclusion || textAt(payload, 'workflow_run', 'conclusion') === conclusion;
  const isOnBranch = !branch || textAt(payload, 'workflow_run', 'head_branch') === branch;
  return isSelected(payload, input, 'completed') && hasResult && isOnBranch;
}
