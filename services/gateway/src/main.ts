import { serve } from '@drawbridge/rpc';
import { gateway } from './index.js';

await serve(gateway);
