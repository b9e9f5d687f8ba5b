import { serve } from '@drawbridge/rpc';
import { triggers } from './index.js';

await serve(triggers);
