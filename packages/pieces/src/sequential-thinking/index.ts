import { piece } from '@drawbridge/piece-kit';
import { addThought } from './actions/add-thought.js';
import { clear } from './actions/clear.js';
import { listBranches } from './actions/list-branches.js';
import { listThoughts } from './actions/list-thoughts.js';

export const sequentialThinking = piece({
  name: 'sequential-thinking',
  displayName: 'Sequential thinking',
  description: 'Records the numbered thoughts of an agent, with revisions and branches.',
  categories: ['ARTIFICIAL_INTELLIGENCE'],
  actions: { add_thought: addThought, list_thoughts: listThoughts, list_branches: listBranches, clear },
});
