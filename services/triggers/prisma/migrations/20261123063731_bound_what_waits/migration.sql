-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "bytes" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "inbound_org_id_source_id_idx" ON "inbound"("org_id", "source_id");

-- DropIndex
DROP INDEX "inbound_source_id_idx";

-- What an organization has waiting is counted in the index alone.
CREATE INDEX "deliveries_open" ON "deliveries"("status", "org_id") INCLUDE ("bytes") WHERE "status" <> 'success';
