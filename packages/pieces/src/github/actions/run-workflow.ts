import { action, dropdown, json } from '@drawbridge/piece-kit';
import { ofRepository, workflows } from '../options.js';
import { repo } from '../properties.js';

/**
 * Starts a GitHub Actions workflow that has the trigger workflow_dispatch:
 * https://docs.github.com/rest/actions/workflows#create-a-workflow-dispatch-event
 */
export const runWorkflow = action({
  displayName: 'Run workflow',
  description:
    'Starts a workflow of GitHub Actions that allows it (workflow_dispatch). Returns the id and the URL of the run.',
  category: 'write',
  props: {
    repo,
    workflow_id: dropdown('Workflow', {
      required: true,
      description: 'The id, or the file name, such as ci.yml.',
      pattern: '^[^/\\s]+$',
      refreshers: ['repo'],
      options: workflows,
    }),
    ref: dropdown('Branch or tag', {
      required: true,
      description: 'Branch or tag with the files to run, such as main.',
      refreshers: ['repo'],
      options: ofRepository('branches', 'name'),
    }),
    inputs: json('Inputs', {
      description: 'Inputs that the workflow declares, at most 25. Others have their defaults.',
      schema: { type: 'object' },
    }),
  },
  call: {
    method: 'POST',
    path: '/repos/{+repo}/actions/workflows/{workflow_id}/dispatches',
    body: { ref: 'ref', inputs: 'inputs', return_run_details: { constant: true } },
  },
});
