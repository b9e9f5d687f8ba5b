-- CreateIndex
CREATE INDEX "approval_requests_workspace_id_status_id_idx" ON "approval_requests"("workspace_id", "status", "id" DESC);
