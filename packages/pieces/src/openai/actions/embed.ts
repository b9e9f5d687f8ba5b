import { action, json, number } from '@drawbridge/piece-kit';
import { embeddingModel } from '../properties.js';

/** Returns the embedding of each text: https://platform.openai.com/docs/api-reference/embeddings/create */
export const embed = action({
  displayName: 'Embed',
  description:
    'Returns a vector for each text, for searches by meaning. "data" has the vectors in the order of the texts.',
  category: 'payment',
  idempotent: true,
  props: {
    model: embeddingModel,
    input: json('Texts', {
      required: true,
      description: 'At most 100 texts.',
      schema: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 100 },
    }),
    dimensions: number('Dimensions', {
      description: 'Length of a vector. Defaults to that of the model.',
      integer: true,
      minimum: 1,
    }),
  },
  call: { method: 'POST', path: '/v1/embeddings', body: ['model', 'input', 'dimensions'] },
});
