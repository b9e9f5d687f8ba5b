-- AlterTable
ALTER TABLE "approval_requests" ADD COLUMN     "omitted_fields" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "truncated_fields" TEXT[] DEFAULT ARRAY[]::TEXT[];
