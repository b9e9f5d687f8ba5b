-- CreateIndex
CREATE INDEX "invitations_email_created_at_idx" ON "invitations"("email", "created_at");

-- CreateIndex
CREATE INDEX "invitations_org_id_created_at_idx" ON "invitations"("org_id", "created_at");
