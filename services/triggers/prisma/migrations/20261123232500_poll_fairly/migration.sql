-- AlterTable
ALTER TABLE "sources" ADD COLUMN     "last_polled_at" TIMESTAMPTZ(3);

-- The oldest that are due, past those that are disabled.
CREATE INDEX "sources_due_polls" ON "sources"("poll_at") WHERE "status" = 'enabled' AND "poll_at" IS NOT NULL;

-- The oldest of each organization and integration.
CREATE INDEX "sources_polled" ON "sources"("org_id", "integration_name", "poll_at") WHERE "status" = 'enabled' AND "poll_at" IS NOT NULL;
