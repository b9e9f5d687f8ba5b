import { toWire } from '@drawbridge/database';
import { type AuditedChange } from '@drawbridge/events';
import { type McpServer } from '@drawbridge/proto/drawbridge/mcp/v1/server';
import { type Server } from '../gen/prisma/client.js';
import { authOf } from './server-auth.js';

export function toMcpServer(row: Server): McpServer {
  const settings = { codeMode: { approvalWaitSeconds: row.approvalWaitSeconds } };
  return { ...toWire(row), settings, auth: authOf(row) };
}

export function changeOf({ id, name, workspaceId }: Pick<Server, 'id' | 'name' | 'workspaceId'>): AuditedChange {
  return { id, name, workspaceId };
}
