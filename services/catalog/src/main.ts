import { withBus } from '@drawbridge/events';
import { serve } from '@drawbridge/rpc';
import { catalog, wanted } from './index.js';

await serve('catalog', withBus(catalog), wanted);
