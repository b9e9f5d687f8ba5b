import { piece } from '@drawbridge/piece-kit';
import { run } from './actions/run.js';

export const advancedCode = piece({
  name: 'advanced-code',
  displayName: 'Advanced code',
  description: 'Runs JavaScript, Python or Shell in a container, with files and libraries.',
  categories: ['CORE'],
  actions: { run },
});
