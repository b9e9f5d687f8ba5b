import { statefulAction } from '@drawbridge/piece-kit';
import { readBranches } from '../branches.js';

export const listBranches = statefulAction({
  displayName: 'List branches',
  description: 'Lists branches with their start and their number of thoughts.',
  category: 'read',
  props: {},
  run: async ({ state }) => ({ items: (await readBranches(state)).map((branch) => ({ ...branch })) }),
});
