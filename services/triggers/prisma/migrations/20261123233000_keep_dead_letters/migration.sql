-- AlterTable
ALTER TABLE "sources" ADD COLUMN     "ended_at" TIMESTAMPTZ(3),
ADD COLUMN     "failed_attempts" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "asked_at" TIMESTAMPTZ(3);
