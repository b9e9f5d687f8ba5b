import { action, json } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { project, requiredRef } from '../properties.js';
import { inProject } from '../records.js';

/** Starts a pipeline for a branch or tag: https://docs.gitlab.com/api/pipelines/#create-a-new-pipeline */
export const runPipeline = action({
  displayName: 'Run pipeline',
  description: 'Starts a pipeline for a branch or tag and returns its id and URL.',
  category: 'write',
  props: {
    project,
    ref: requiredRef,
    variables: json('Variables', {
      description: 'Variables of the pipeline: {"DEPLOY": "yes"}.',
      schema: { type: 'object', additionalProperties: { type: 'string', maxLength: 10_000 } },
    }),
  },
  run: async ({ http, input: { project: id, ref, variables } }) => {
    const list = Object.entries(variables ?? {}).map(([key, value]) => ({ key, value: String(value) }));
    const body = { ref, ...(list.length > 0 && { variables: list }) };
    const pipeline = await http.json({ method: 'POST', path: inProject(id, '/pipeline'), json: body });
    return pickFields(pipeline, same('id', 'iid', 'status', 'ref', 'sha', 'web_url', 'created_at'));
  },
});
