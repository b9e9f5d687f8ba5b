import { type LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type IdentityServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type Client } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type IsThere } from '../access/is-there.js';
import { type ServerParts } from '../servers/server-parts.js';
import { type FindDocument } from './client-documents.js';
import { type AtServer } from './server-turns.js';

/** The dependencies of the OAuth RPCs. */
export interface OAuthParts extends Pick<ServerParts, 'db' | 'guard' | 'outbox'> {
  pool: Pool;
  identities: Client<IdentityServiceDefinition>;
  catalog: Client<LinkedInstanceServiceDefinition>;
  findDocument: FindDocument;
  atServer: AtServer;
  /** Throws NOT_FOUND for a deleted workspace, FORBIDDEN for a suspended one. */
  requireWorkspace(workspaceId: string): Promise<unknown>;
  isThere: IsThere;
}
