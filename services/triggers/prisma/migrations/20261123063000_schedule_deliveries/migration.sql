-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "tries" INTEGER NOT NULL DEFAULT 0;

-- Of an organization, the next of each source: what one source has waiting is not passed by.
CREATE INDEX "deliveries_due" ON "deliveries"("org_id", "source_id", "due_at", "id") WHERE "status" IN ('pending', 'retrying') AND NOT "held";

-- When an organization has something to deliver next.
CREATE INDEX "deliveries_next" ON "deliveries"("org_id", "due_at") WHERE "status" IN ('pending', 'retrying') AND NOT "held";
