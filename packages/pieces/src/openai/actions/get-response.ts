import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { withOutputText } from '../output-text.js';
import { ID } from '../properties.js';

/** Returns a stored response: https://platform.openai.com/docs/api-reference/responses/get */
export const getResponse = action({
  displayName: 'Get response',
  description:
    'Reads a stored response by its id. Its text is in "output_text" once "status" is completed; queued and in_progress mean that it is not ready.',
  category: 'read',
  props: {
    response_id: shortText('Response', {
      required: true,
      description: 'The id (resp_…).',
      pattern: ID,
      maxLength: 200,
    }),
  },
  run: async ({ http, input }) =>
    withOutputText(await http.json({ method: 'GET', path: expandPath('/v1/responses/{response_id}', input) })),
});
