import { statefulAction } from '@drawbridge/piece-kit';
import { readBranches } from '../branches.js';

export const listBranches = statefulAction({
  displayName: 'List branches',
  description: 'The branches that there are, where each begins, and how many thoughts it has.',
  category: 'read',
  props: {},
  run: async ({ state }) => ({ items: (await readBranches(state)).map((branch) => ({ ...branch })) }),
});
