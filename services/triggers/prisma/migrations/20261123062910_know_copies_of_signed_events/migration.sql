-- AlterTable
ALTER TABLE "events" ADD COLUMN     "signature_hash" TEXT;

-- Of what one source was told.
CREATE INDEX "events_signed" ON "events"("source_id", "signature_hash") WHERE "signature_hash" IS NOT NULL;
