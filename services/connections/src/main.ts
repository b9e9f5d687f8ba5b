import { serve } from '@drawbridge/rpc';
import { connections } from './index.js';

await serve(connections);
