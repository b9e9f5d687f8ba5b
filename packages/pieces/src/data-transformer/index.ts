import { piece } from '@drawbridge/piece-kit';
import { transform } from './actions/transform.js';

export const dataTransformer = piece({
  name: 'data-transformer',
  displayName: 'Data transformer',
  description: 'Queries and reshapes JSON with JSONata expressions.',
  categories: ['UTILITIES'],
  actions: { transform },
});
