-- AlterTable
ALTER TABLE "events" ADD COLUMN     "unreadable" BOOLEAN NOT NULL DEFAULT false;
