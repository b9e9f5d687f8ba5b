import { resume, suspend } from '@drawbridge/database';
import { type McpServerServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { type Implementation } from '@drawbridge/rpc';
import { findServer } from './find-server.js';
import { lockServer } from './lock-server.js';
import { type ServerParts } from './server-parts.js';
import { changeOf, toMcpServer } from './to-server.js';

type Suspension = Pick<Implementation<McpServerServiceDefinition>, 'suspendMcpServer' | 'resumeMcpServer'>;

export const serverSuspension = ({ db, outbox, findLimit }: ServerParts): Suspension => ({
  async suspendMcpServer({ id }) {
    const { orgId } = await findServer(db, id);
    return db.$transaction(async (tx) => {
      await suspend(tx.server, { id, orgId });
      const row = await lockServer(tx, id);
      await outbox.record(tx, changeOf(row));
      return toMcpServer(row);
    });
  },

  async resumeMcpServer({ id }) {
    const { orgId } = await findServer(db, id);
    const limitIn = await findLimit(orgId);
    return db.$transaction(async (tx) => {
      await resume(tx, tx.server, { which: { id, orgId }, table: 'servers', limit: () => limitIn(tx) });
      const row = await lockServer(tx, id);
      await outbox.record(tx, changeOf(row));
      return toMcpServer(row);
    });
  },
});
