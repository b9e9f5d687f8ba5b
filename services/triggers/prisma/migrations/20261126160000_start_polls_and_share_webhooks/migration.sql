-- A notification of the provider starts a poll.
ALTER TABLE "sources" ADD COLUMN "leased_until" TIMESTAMPTZ(3),
ADD COLUMN "notified_at" TIMESTAMPTZ(3),
ADD COLUMN "renewal_failures" INTEGER NOT NULL DEFAULT 0;

-- Triggers of one connection can share a webhook.
DROP INDEX "sources_hook_id_key";
CREATE INDEX "sources_hook_id_idx" ON "sources"("hook_id");
