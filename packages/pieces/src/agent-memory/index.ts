import { piece } from '@drawbridge/piece-kit';
import { forget } from './actions/forget.js';
import { recall } from './actions/recall.js';
import { remember } from './actions/remember.js';
import { search } from './actions/search.js';

export const agentMemory = piece({
  name: 'agent-memory',
  displayName: 'Agent memory',
  description: 'What an agent is to know the next time, found again by its name or its words.',
  categories: ['ARTIFICIAL_INTELLIGENCE'],
  actions: { remember, recall, search, forget },
});
