/** Statements without an organization: background jobs, and look-ups that find the organization of a credential. */
export const FOR_ALL: Record<string, RegExp> = {
  'whose a key is': /^SELECT .* FROM members\.api_keys k JOIN .* WHERE k\.key_hash = \$1/,
  'whose an invitation is': /^SELECT "members"\."invitations"\."id", .* WHERE \("members"\."invitations"\."id" = \$1/,
  'whose a connect session is': /^SELECT id, .* FROM connections\.connect_sessions WHERE token_hash = \$1/,
  'whose the link of an invitation is': /^SELECT id, .* FROM members\.invitations WHERE token_hashes @> ARRAY\[\$1\]/,
  'whose the link of an end user is': /^SELECT u\.org_id .* FROM connections\.portal_tokens link /,
  'whose the hosted link of a request is':
    /^SELECT org_id AS "orgId", workspace_id AS "workspaceId", end_user_id AS "endUserId" FROM approvals\.approval_requests WHERE id = \$1 AND approval_access_mode/,
  'where a person belongs': /^SELECT "members"\."members"\."id", .* WHERE "members"\."members"\."user_id" = \$1/,
  'whose a hook is':
    /^SELECT id, org_id AS "orgId", workspace_id AS "workspaceId", integration_name .* FROM triggers\.sources WHERE hook_id = \$1/,
  'whom the app of a third party tells of':
    /^SELECT id, org_id AS "orgId", .* FROM triggers\.sources WHERE integration_name = \$1 AND route_key = ANY/,
  'what is due of trigger sources':
    /^SELECT id(, org_id AS "orgId", .*)? FROM triggers\.sources WHERE status = '|^UPDATE triggers\.sources SET (renew|unregister)_at/,
  'which workspaces were suspended when something was due':
    /^SELECT workspace_id AS "workspaceId", org_id AS "orgId" FROM triggers\.suspended_workspaces WHERE workspace_id > \$1/,
  'what was sent for a workspace that is gone':
    /^DELETE FROM triggers\.inbound WHERE id IN \( ?SELECT inbound\.id FROM triggers\.sources JOIN/,
  'whom a token of an agent lets in':
    /^SELECT s\.id, .* FROM mcp\.servers s LEFT JOIN mcp\.tokens t ON t\.token_hash = \$2/,
  'whose a code is': /^SELECT id, .* FROM mcp\.oauth_grants WHERE code_hash = \$1/,
  'whose a refresh token is': /^SELECT g\.id, .* FROM mcp\.oauth_refresh_tokens r JOIN .* WHERE r\.token_hash = \$1/,
  'what a program gives back':
    /^DELETE FROM mcp\.(tokens WHERE token_hash = \$1 AND|oauth_grants WHERE client_id = \$2 AND id IN)/,
  'and what programs had of a workspace that is gone':
    /^DELETE FROM mcp\.oauth_refresh_tokens WHERE id IN \( SELECT theirs\.id FROM \(SELECT id FROM mcp\.oauth_grants WHERE workspace_id/,
  'when keys were used': /^UPDATE members\.api_keys SET last_used_at/,
  'the master keys in use': /^WITH RECURSIVE ids AS \( \(SELECT master_key_id AS id FROM connections\.\w+ ORDER/,
  'whose plan changed': /^SELECT org_id AS "orgId" FROM \w+\.plan_limits WHERE fitted_at IS NULL/,
  'events on their way':
    /^SELECT 1 FROM \w+\.outbox WHERE published_at IS NULL|^WITH RECURSIVE organizations AS|^UPDATE \w+\.outbox SET/,
  'how late events are': /^SELECT (greatest|count)\(.* FROM \w+\.(outbox|dead_events)/,
  'what is kept no longer': /^SELECT ctid::text AS ctid, |^DELETE FROM [\w.]+ WHERE ctid = ANY/,
  'approvals whose time is over':
    /^SELECT id FROM approvals\.approval_requests WHERE status = 'pending' AND expires_at <= now\(\)|^WITH due AS \(SELECT unnest/,
  'the runs of processes that died':
    /^SELECT execution_id AS id, key, run FROM execution\.claims WHERE outcome IS NULL AND lease_until < now\(\)/,
  'what a workspace held that is gone':
    /^(DELETE FROM|UPDATE) .* WHERE id IN \( ?SELECT id FROM [\w.]+ WHERE workspace_id = \$1|^WITH old AS MATERIALIZED \(SELECT org_id, key FROM execution\.claims WHERE workspace_id = \$1/,
  'what was kept and goes':
    /^SELECT id(, org_id AS "orgId")? FROM execution\.state_spaces WHERE|^SELECT space_id AS id FROM execution\.state_entries/,
  'refreshes what nobody uses':
    /SELECT id AS "connectionId", .* FROM connections\.connections WHERE integration_name = \$1 AND refresh_at <=/,
  'gives grants back at their providers': /^WITH RECURSIVE shares AS|^UPDATE connections\.revocations SET due_at/,
  'forgets what was not given back':
    /^SELECT id FROM connections\.revocations WHERE created_at <|^DELETE FROM connections\.revocations WHERE id = ANY/,
  'and the OAuth apps of workspaces that are gone':
    /^SELECT id FROM connections\.oauth_apps WHERE abandoned_at|^DELETE FROM connections\.oauth_apps WHERE id = ANY/,
};
