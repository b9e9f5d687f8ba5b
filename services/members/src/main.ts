import { withBus } from '@drawbridge/events';
import { serve } from '@drawbridge/rpc';
import { members, wanted } from './index.js';

await serve('members', withBus(members), wanted);
