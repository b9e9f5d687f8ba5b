import { statefulAction } from '@drawbridge/piece-kit';
import { DEFAULT_LIMIT, paging, toPage } from '../../listing.js';
import { branchId, keysOf, MAIN } from '../branches.js';
import { toThought } from '../to-thought.js';

export const listThoughts = statefulAction({
  displayName: 'List thoughts',
  description: 'Lists the thoughts of a branch in order.',
  category: 'read',
  props: { branchId, ...paging },
  run: async ({ input: { branchId: branch = MAIN, cursor: after, limit = DEFAULT_LIMIT }, state }) =>
    toPage(await state.list({ prefix: keysOf(branch), after, limit, order: 'key', values: true }), toThought),
});
