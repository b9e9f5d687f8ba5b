import { serve } from '@drawbridge/rpc';
import { approvals } from './index.js';

await serve(approvals);
