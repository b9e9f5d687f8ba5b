-- CreateIndex: while it is built only writes wait, so the old one goes last.
CREATE INDEX "workspaces_org_id_created_at_id_suspended_at_idx" ON "workspaces"("org_id", "created_at" DESC, "id" DESC, "suspended_at");

-- DropIndex
DROP INDEX "workspaces_org_id_created_at_id_idx";
