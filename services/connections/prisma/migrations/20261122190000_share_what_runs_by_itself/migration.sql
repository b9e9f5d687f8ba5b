-- Grants are given back by organization and integration, so that none waits for another's.
CREATE INDEX "revocations_org_id_integration_name_due_at_idx" ON "revocations"("org_id", "integration_name", "due_at");
DROP INDEX "revocations_due_at_idx";
-- What goes with a workspace, apart from the organization's own that stays: batch after batch reads what it deletes alone.
CREATE INDEX "connections_of_workspaces" ON "connections"("workspace_id")
WHERE "scope" <> 'ORGANIZATION' OR "end_user_record_id" IS NOT NULL;
