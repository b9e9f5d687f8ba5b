-- AlterTable
ALTER TABLE "servers" ADD COLUMN     "tool_discovery" TEXT NOT NULL DEFAULT 'list';
