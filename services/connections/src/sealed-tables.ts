import { type CredentialOwner } from './envelope-encryption.js';

export interface SealedTable {
  kind: CredentialOwner['kind'];
  /** Includes the schema. */
  name: string;
}

/**
 * Every table with sealed rows. Each has id, org_id, sealed, wrapped_key and master_key_id, and an index that begins with master_key_id. All work on
 * master keys uses this list, in its order. A table that is missing here loses its keys with the next rotation. A table to which rows are copied must
 * follow the table that they come from.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  { kind: 'connection', name: 'connections.connections' },
  { kind: 'connection', name: 'connections.revocations' },
  { kind: 'oauth app', name: 'connections.oauth_apps' },
  { kind: 'webhook secret', name: 'connections.webhook_secrets' },
  { kind: 'trigger source', name: 'connections.source_secrets' },
];
