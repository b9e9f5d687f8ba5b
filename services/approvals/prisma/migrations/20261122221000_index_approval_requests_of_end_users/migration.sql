-- CreateIndex: what waits for an end user, which Prisma can not say.
CREATE INDEX "approval_requests_of_end_user" ON "approval_requests"("workspace_id", "end_user_id", "id" DESC) WHERE "status" = 'pending' AND "end_user_id" IS NOT NULL;
