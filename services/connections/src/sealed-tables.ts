import { type CredentialOwner } from './envelope-encryption.js';

export interface SealedTable {
  kind: CredentialOwner['kind'];
  /** With its schema. */
  name: string;
}

/**
 * Every table whose rows are sealed. Each has id, org_id, sealed, wrapped_key and master_key_id, and an index that begins with
 * master_key_id. All that concerns master keys goes through this list, in its order: a table that is not in it loses its keys with the next
 * rotation, and one to which rows are copied as they are stands behind the one that they come from.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  { kind: 'connection', name: 'connections.connections' },
  { kind: 'connection', name: 'connections.revocations' },
  { kind: 'oauth app', name: 'connections.oauth_apps' },
  { kind: 'webhook secret', name: 'connections.webhook_secrets' },
  { kind: 'trigger source', name: 'connections.source_secrets' },
];
