import { serve } from '@drawbridge/rpc';
import { members } from './index.js';

await serve(members);
