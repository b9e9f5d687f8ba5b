import { join } from 'node:path';
import { defineService } from '@drawbridge/service';
import { PrismaClient } from './gen/prisma/client.js';
import { emptyWorkspace } from './purge.js';

/** Which calls need a person's yes, and who gave it. */
export const approvals = defineService({
  name: 'approvals',
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    counted: [{ name: 'approval_policies' }],
  },
  emptyWorkspace,
  assemble: () => ({ rpcs: [] }),
});
