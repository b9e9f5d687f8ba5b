import { join } from 'node:path';
import { addPieces } from '@drawbridge/pieces';
import { defineService } from '@drawbridge/service';
import { PrismaClient } from './gen/prisma/client.js';
import { emptyWorkspace } from './purge.js';
import { OLD_DELIVERIES, OLD_EVENTS, OLD_INBOUND } from './retention-rules.js';
import { VARIABLES } from './variables.js';

/** What third parties tell of, and whom it is passed on to. */
export const triggers = defineService({
  name: 'triggers',
  variables: VARIABLES,
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    counted: [{ name: 'sources', isSuspendable: true }],
  },
  emptyWorkspace,
  async assemble({ config }) {
    await addPieces(config.INTEGRATIONS_DIR);
    return { rpcs: [], expiring: [OLD_INBOUND, OLD_EVENTS, OLD_DELIVERIES] };
  },
});
