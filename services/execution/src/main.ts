import { withBus } from '@drawbridge/events';
import { serve } from '@drawbridge/rpc';
import { execution } from './index.js';

await serve('execution', withBus(execution));
