/** What serves all organizations: it runs by itself, or finds out for whom a caller speaks. */
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
    /UPDATE triggers\.sources SET .* WHERE id IN \( ?SELECT id FROM triggers\.sources WHERE status = '/,
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
  'whose a mailed code is': /^UPDATE connections\.email_proofs SET tries = .* WHERE flow_hash = \$\d/,
  'and what programs had of a workspace that is gone':
    /^DELETE FROM mcp\.oauth_refresh_tokens WHERE id IN \( SELECT theirs\.id FROM \(SELECT id FROM mcp\.oauth_grants WHERE workspace_id/,
  'when keys were used': /^UPDATE members\.api_keys SET last_used_at/,
  'the master keys in use': /^WITH RECURSIVE ids AS \( \(SELECT master_key_id AS id FROM connections\.\w+ ORDER/,
  'whose plan changed': /^SELECT org_id AS "orgId" FROM \w+\.plan_limits WHERE fitted_at IS NULL/,
  'events on their way':
    /^SELECT (1|id, org_id, envelope) FROM \w+\.outbox WHERE published_at IS NULL|^UPDATE \w+\.outbox SET/,
  'what is kept no longer': /^WITH old AS MATERIALIZED/,
  'approvals whose time is over':
    /^WITH due AS MATERIALIZED \( SELECT id FROM approvals\.approval_requests WHERE status = 'pending' AND expires_at <= now\(\)/,
  'the runs of processes that died':
    /^SELECT key, run FROM execution\.claims WHERE outcome IS NULL AND lease_until < now\(\)/,
  'what a workspace held that is gone':
    /^(DELETE FROM|UPDATE) .* WHERE id IN \( ?SELECT id FROM [\w.]+ WHERE workspace_id = \$1/,
  'what was kept and goes': /^SELECT id, org_id AS "orgId" FROM execution\.state_spaces WHERE/,
  'refreshes what nobody uses':
    /SELECT id AS "connectionId", .* FROM connections\.connections WHERE integration_name = \$1 AND refresh_at <=/,
  'gives grants back at their providers': /UPDATE connections\.revocations SET due_at = .* FOR UPDATE SKIP LOCKED\)/,
  'forgets what was not given back': /DELETE FROM connections\.revocations .* WHERE created_at </,
  'and the OAuth apps of workspaces that are gone':
    /DELETE FROM connections\.oauth_apps .* WHERE abandoned_at IS NOT NULL/,
};
