-- AlterTable
ALTER TABLE "sources" ADD COLUMN     "unregister_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "sources_status_unregister_at_idx" ON "sources"("status", "unregister_at");
