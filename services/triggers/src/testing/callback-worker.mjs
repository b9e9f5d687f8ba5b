// Delivers callbacks until the process is killed. Requires the environment variable DATABASE_URL.
import { createEgress } from '@drawbridge/egress';
import { newWebhookSecret } from '@drawbridge/jobs';
import { createLogger } from '@drawbridge/rpc';
import pg from 'pg';

const { CallbackWorker } = await import(new URL('../../dist/callbacks/callback-worker.js', import.meta.url).href);
const { DATABASE_URL: connectionString, MOST } = process.env;
const pool = new pg.Pool({ connectionString, max: 10 }).on('error', () => undefined);
const egress = createEgress({ allow: ['127.0.0.1'] });
const opened = { callbackHeaders: {}, signingSecret: newWebhookSecret(), hookSecret: '' };
const open = async () => opened;
new CallbackWorker({
  ...{ pool, egress, log: createLogger('triggers', 'silent'), wake: () => undefined },
  secrets: { open, reopen: open },
  states: { find: async () => 'live' },
  findMost: async () => Number(MOST),
}).start();
