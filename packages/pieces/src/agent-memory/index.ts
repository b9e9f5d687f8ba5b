import { piece } from '@drawbridge/piece-kit';
import { forget } from './actions/forget.js';
import { recall } from './actions/recall.js';
import { remember } from './actions/remember.js';
import { search } from './actions/search.js';

export const agentMemory = piece({
  name: 'agent-memory',
  displayName: 'Agent memory',
  description: 'Stores facts for an agent and finds them by name or full-text search.',
  categories: ['ARTIFICIAL_INTELLIGENCE'],
  actions: { remember, recall, search, forget },
});
