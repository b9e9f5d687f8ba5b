-- CreateIndex: only writes wait while it is built, so the old one is dropped last.
CREATE INDEX "connections_workspace_id_created_at_id_suspended_at_idx" ON "connections"("workspace_id", "created_at" DESC, "id" DESC, "suspended_at");

-- DropIndex
DROP INDEX "connections_workspace_id_idx";
