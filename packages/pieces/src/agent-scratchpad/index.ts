import { piece } from '@drawbridge/piece-kit';
import { append } from './actions/append.js';
import { clear } from './actions/clear.js';
import { read } from './actions/read.js';

export const agentScratchpad = piece({
  name: 'agent-scratchpad',
  displayName: 'Agent scratchpad',
  description: 'Keeps the notes that an agent takes while it works, in order.',
  categories: ['ARTIFICIAL_INTELLIGENCE'],
  actions: { append, read, clear },
});
