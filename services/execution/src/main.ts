import { serve } from '@drawbridge/rpc';
import { execution } from './index.js';

await serve(execution);
