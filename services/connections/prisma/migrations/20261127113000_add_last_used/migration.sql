-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);
