import { action, expandPath, json } from '@drawbridge/piece-kit';
import { V1 } from '../pages.js';
import { page } from '../properties.js';

/**
 * Adds labels to a page: https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content-labels/#api-wiki-rest-api-content-id-label-post
 */
export const addLabel = action({
  displayName: 'Add labels',
  description: 'Adds labels to a page.',
  category: 'write',
  idempotent: true,
  props: {
    page,
    labels: json('Labels', {
      required: true,
      description: 'Words without spaces: ["release", "draft"].',
      schema: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string', pattern: '^\\S{1,255}$' } },
    }),
  },
  run: async ({ http, input: { page: id, labels } }) => {
    const path = expandPath(`${V1}/content/{id}/label`, { id });
    await http.request({ method: 'POST', path, json: labels.map((name) => ({ prefix: 'global', name })) });
  },
});
