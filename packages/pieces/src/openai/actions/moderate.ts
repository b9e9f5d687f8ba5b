import { action, dropdown, longText } from '@drawbridge/piece-kit';
import { models } from '../options.js';

/** Checks whether a text is harmful: https://platform.openai.com/docs/api-reference/moderations/create */
export const moderate = action({
  displayName: 'Moderate',
  description: 'Checks whether a text is harmful. Returns "results" with "flagged" and a score for each category.',
  category: 'read',
  props: {
    input: longText('Text', { required: true, minLength: 1, maxLength: 1_000_000 }),
    model: dropdown('Model', {
      description: 'Defaults to omni-moderation-latest.',
      maxLength: 200,
      options: models(/moderation/),
    }),
  },
  call: { method: 'POST', path: '/v1/moderations', body: ['input', 'model'] },
});
