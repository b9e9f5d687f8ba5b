-- AlterTable
ALTER TABLE "connect_sessions" ADD COLUMN     "account_label" TEXT,
ADD COLUMN     "asked_account" JSONB;

-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "account_label" TEXT;
