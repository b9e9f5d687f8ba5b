-- AlterTable
ALTER TABLE "approval_requests" ADD COLUMN "account" TEXT;
