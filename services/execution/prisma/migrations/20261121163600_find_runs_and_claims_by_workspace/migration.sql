-- CreateIndex
CREATE INDEX "claims_workspace_id_idx" ON "claims"("workspace_id");

-- CreateIndex
CREATE INDEX "executions_workspace_id_id_idx" ON "executions"("workspace_id", "id" DESC);

-- DropIndex: last, for it locks out readers too until the migration ends
DROP INDEX "executions_workspace_id_idx";
