import { serve } from '@drawbridge/rpc';
import { catalog } from './index.js';

await serve(catalog);
