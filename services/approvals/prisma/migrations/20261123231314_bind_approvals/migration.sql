-- AlterTable
ALTER TABLE "approval_requests" ADD COLUMN     "policy_version" TIMESTAMPTZ(3),
ADD COLUMN     "request_hash" TEXT;
