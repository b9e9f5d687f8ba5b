-- AlterTable
ALTER TABLE "users" ADD COLUMN     "last_org_id" UUID;
