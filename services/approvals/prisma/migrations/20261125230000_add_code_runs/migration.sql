-- AlterTable
ALTER TABLE "approval_requests" ADD COLUMN     "batch_connections" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "batch_tools" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "code_hash" TEXT,
ADD COLUMN     "code_run_id" UUID,
ADD COLUMN     "tool_surface_hash" TEXT;

-- CreateIndex: the requests of a run, which Prisma cannot declare because it is partial.
CREATE INDEX "approval_requests_of_code_run" ON "approval_requests"("org_id", "code_run_id", "id") WHERE "code_run_id" IS NOT NULL;

-- CreateIndex: a run has one batch request for each policy, also if two processes open it at the same time.
CREATE UNIQUE INDEX "approval_requests_batch" ON "approval_requests"("org_id", "code_run_id", "policy_id", "code_hash", "tool_surface_hash") WHERE "code_run_id" IS NOT NULL AND "batch_tools" <> '{}';
