import { type LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type Client } from '@drawbridge/rpc';
import { type ServerParts } from '../servers/server-parts.js';

/** The dependencies of the tool RPCs. */
export interface ToolParts extends Pick<ServerParts, 'db' | 'guard' | 'outbox' | 'requireWorkspaceNow'> {
  catalog: Pick<Client<LinkedInstanceServiceDefinition>, 'checkTool'>;
}
