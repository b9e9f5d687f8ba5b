-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "credential_generation" INTEGER NOT NULL DEFAULT 1;
