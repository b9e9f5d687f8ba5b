-- AlterTable
ALTER TABLE "tools" ADD COLUMN     "has_own_alias" BOOLEAN NOT NULL DEFAULT false;
