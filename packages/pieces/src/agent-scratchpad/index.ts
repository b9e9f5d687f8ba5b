import { piece } from '@drawbridge/piece-kit';
import { append } from './actions/append.js';
import { clear } from './actions/clear.js';
import { read } from './actions/read.js';

export const agentScratchpad = piece({
  name: 'agent-scratchpad',
  displayName: 'Agent scratchpad',
  description: 'Notes that an agent makes while it works, in their order.',
  categories: ['ARTIFICIAL_INTELLIGENCE'],
  actions: { append, read, clear },
});
