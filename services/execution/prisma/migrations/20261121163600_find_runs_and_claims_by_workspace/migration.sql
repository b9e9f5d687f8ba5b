-- DropIndex
DROP INDEX "executions_workspace_id_idx";

-- CreateIndex
CREATE INDEX "executions_workspace_id_id_idx" ON "executions"("workspace_id", "id" DESC);

-- CreateIndex
CREATE INDEX "claims_workspace_id_idx" ON "claims"("workspace_id");
