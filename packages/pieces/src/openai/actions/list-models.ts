import { action } from '@drawbridge/piece-kit';

/** Lists the models that the key can use: https://platform.openai.com/docs/api-reference/models/list */
export const listModels = action({
  displayName: 'List models',
  description: 'Lists the models that the key can use, each with its id, owner and time of creation.',
  category: 'read',
  props: {},
  call: { method: 'GET', path: '/v1/models', result: 'data' },
});
