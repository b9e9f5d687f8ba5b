/** SQL: stores a provider's grant for revocation, sealed as a connection's under this id. Append a condition. */
export const KEEP_GRANT = `
  INSERT INTO connections.revocations (id, org_id, sealed, wrapped_key, master_key_id, integration_name, oauth_app_id)
  SELECT $1::uuid, $2::uuid, $3::bytea, $4::bytea, $5, $6, $7::uuid`;
