import { piece } from '@drawbridge/piece-kit';
import { run } from './actions/run.js';

export const code = piece({
  name: 'code',
  displayName: 'Code',
  description: 'Runs JavaScript or TypeScript in a sandbox, without files, and without a network.',
  categories: ['CORE'],
  actions: { run },
});
