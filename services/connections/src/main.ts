import { withBus } from '@drawbridge/events';
import { serve } from '@drawbridge/rpc';
import { connections, wanted } from './index.js';

await serve('connections', withBus(connections), wanted);
