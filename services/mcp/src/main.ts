import { serve } from '@drawbridge/rpc';
import { mcp } from './index.js';

await serve(mcp);
