import { withBus } from '@drawbridge/events';
import { serve } from '@drawbridge/rpc';
import { execution, wanted } from './index.js';

await serve('execution', withBus(execution), wanted);
