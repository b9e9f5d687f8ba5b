-- AlterTable
ALTER TABLE "connections" ADD COLUMN "due_at" TIMESTAMPTZ(3);
