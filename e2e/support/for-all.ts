/** Statements for several organizations: background jobs, look-ups that determine the organization of a credential, and those that calls share. */
export const FOR_ALL: Record<string, RegExp> = {
  'the organization of a key': /^SELECT .* FROM members\.api_keys k JOIN .* WHERE k\.key_hash = \$1/,
  'the organization of an invitation':
    /^SELECT "members"\."invitations"\."id", .* WHERE \("members"\."invitations"\."id" = \$1/,
  'the organization of a connect session': /^SELECT id, .* FROM connections\.connect_sessions WHERE token_hash = \$1/,
  'the organization of an invitation link':
    /^SELECT id, .* FROM members\.invitations WHERE token_hashes @> ARRAY\[\$1\]/,
  'the organization of a portal link': /^SELECT u\.org_id .* FROM connections\.portal_tokens link /,
  'the organization of a hosted approval link':
    /^SELECT org_id AS "orgId", workspace_id AS "workspaceId", end_user_id AS "endUserId" FROM approvals\.approval_requests WHERE id = \$1 AND approval_access_mode/,
  'the organizations of a user': /^SELECT "members"\."members"\."id", .* WHERE "members"\."members"\."user_id" = \$1/,
  'the organization of a webhook address':
    /^SELECT id, org_id AS "orgId", workspace_id AS "workspaceId", integration_name .* FROM triggers\.sources WHERE hook_id = \$1/,
  'the sources of an app event':
    /^SELECT id, org_id AS "orgId", .* FROM triggers\.sources WHERE integration_name = \$1 AND route_key = ANY/,
  'due trigger sources':
    /^SELECT id(, org_id AS "orgId", .*)? FROM triggers\.sources WHERE status = '|^\(SELECT 'abandon' AS task FROM triggers\.sources WHERE status = '|^UPDATE triggers\.sources SET (renew|unregister)_at/,
  'suspended workspaces with due work':
    /^SELECT workspace_id AS "workspaceId", org_id AS "orgId" FROM triggers\.suspended_workspaces WHERE workspace_id > \$1/,
  'inbound events of deleted workspaces':
    /^DELETE FROM triggers\.inbound WHERE id IN \( ?SELECT inbound\.id FROM triggers\.sources JOIN/,
  'jobs of a queue': /^(SELECT|INSERT|UPDATE|DELETE|WITH) .*"\w+_queue"\.jobs/,
  'due deliveries':
    /^WITH promoted AS \( ?UPDATE triggers\.deliveries SET is_ready = true WHERE|^WITH RECURSIVE org AS .* FROM triggers\.deliveries/,
  'the server and the token of an agent':
    /^SELECT s\.id, .* FROM mcp\.servers s LEFT JOIN mcp\.tokens t ON t\.token_hash = \$2/,
  'the organization of an authorization code': /^SELECT id, .* FROM mcp\.oauth_grants WHERE code_hash = \$1/,
  'the organization of a refresh token':
    /^SELECT g\.id, .* FROM mcp\.oauth_refresh_tokens r JOIN .* WHERE r\.token_hash = \$1/,
  'revocations by a client':
    /^DELETE FROM mcp\.(tokens WHERE token_hash = \$1 AND|oauth_grants WHERE client_id = \$2 AND id IN)/,
  'refresh tokens of deleted workspaces':
    /^DELETE FROM mcp\.oauth_refresh_tokens WHERE id IN \( SELECT theirs\.id FROM \(SELECT id FROM mcp\.oauth_grants WHERE workspace_id/,
  'the last use of keys': /^UPDATE members\.api_keys SET last_used_at/,
  'the master keys in use': /^WITH RECURSIVE ids AS \( \(SELECT master_key_id AS id FROM connections\.\w+ ORDER/,
  'organizations with a changed plan': /^SELECT org_id AS "orgId" FROM \w+\.plan_limits WHERE fitted_at IS NULL/,
  'unpublished events':
    /^\(SELECT '\w+' AS schema FROM \w+\.outbox WHERE published_at IS NULL|^WITH RECURSIVE organizations AS|^UPDATE \w+\.outbox SET|^ANALYZE \w+\.outbox$/,
  'the delay of events': /^SELECT (greatest|count)\(.* FROM \w+\.(outbox|dead_events)/,
  'expired rows': /^SELECT ctid::text AS ctid, |^DELETE FROM [\w.]+ WHERE ctid = ANY/,
  'expired approvals':
    /^SELECT id FROM approvals\.approval_requests WHERE status = 'pending' AND expires_at <= now\(\)|^WITH due AS \(SELECT unnest/,
  'the idempotency keys of several calls':
    /^SELECT position::int FROM unnest\(\$1::uuid\[\], \$2::text\[\]\) WITH ORDINALITY AS wanted\(org_id, key, position\)/,
  'runs of dead processes':
    /^SELECT execution_id AS id, key, run FROM execution\.claims WHERE outcome IS NULL AND lease_until < now\(\)/,
  'rows of deleted workspaces':
    /^(DELETE FROM|UPDATE) .* WHERE id IN \( ?SELECT id FROM [\w.]+ WHERE workspace_id = \$1|^WITH old AS MATERIALIZED \(SELECT org_id, key FROM execution\.claims WHERE workspace_id = \$1/,
  'expired stored state':
    /^SELECT id(, org_id AS "orgId")? FROM execution\.state_spaces WHERE|^SELECT space_id AS id FROM execution\.state_entries/,
  'refreshes of idle connections':
    /SELECT id AS "connectionId", .* FROM connections\.connections WHERE integration_name = \$1 AND refresh_at <=/,
  'revocations of grants': /^WITH RECURSIVE shares AS|^UPDATE connections\.revocations SET due_at/,
  'expired revocations':
    /^SELECT id FROM connections\.revocations WHERE created_at <|^DELETE FROM connections\.revocations WHERE id = ANY/,
  'OAuth apps of deleted workspaces':
    /^SELECT id FROM connections\.oauth_apps WHERE abandoned_at|^DELETE FROM connections\.oauth_apps WHERE id = ANY/,
};
