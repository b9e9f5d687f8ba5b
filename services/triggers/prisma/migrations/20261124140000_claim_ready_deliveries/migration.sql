-- A delivery is claimed while it is ready: due, and in no attempt. Rows of the version before become ready when they are due.
ALTER TABLE "deliveries" ADD COLUMN "is_ready" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "deliveries_ready" ON "deliveries"("org_id", "source_id", "due_at", "id") WHERE "is_ready" AND "status" IN ('pending', 'retrying') AND NOT "held";
CREATE INDEX "deliveries_waiting" ON "deliveries"("due_at") WHERE NOT "is_ready" AND "status" IN ('pending', 'retrying') AND NOT "held";
DROP INDEX "deliveries_due";
DROP INDEX "deliveries_next";
