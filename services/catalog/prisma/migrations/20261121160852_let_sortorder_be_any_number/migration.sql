-- AlterTable
ALTER TABLE "workspace_integrations" ALTER COLUMN "sort_order" SET DATA TYPE DOUBLE PRECISION;
