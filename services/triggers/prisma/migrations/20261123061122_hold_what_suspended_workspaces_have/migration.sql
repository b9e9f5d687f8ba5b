-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "held" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "sources" ADD COLUMN     "held" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "suspended_workspaces" (
    "workspace_id" UUID NOT NULL,
    "org_id" UUID NOT NULL,

    CONSTRAINT "suspended_workspaces_pkey" PRIMARY KEY ("workspace_id")
);

-- What is let go when a workspace is resumed.
CREATE INDEX "deliveries_held" ON "deliveries"("workspace_id", "id") WHERE "held";
