-- CreateTable
CREATE TABLE "workspace_integrations" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "integration_name" TEXT NOT NULL,
    "alias" TEXT NOT NULL,
    "display_name" TEXT,
    "connection_strategy" TEXT NOT NULL,
    "connection_id" UUID,
    "enabled_actions" JSON,
    "settings" JSON NOT NULL,
    "sort_order" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workspace_integrations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "workspace_integrations_org_id_connection_id_idx" ON "workspace_integrations"("org_id", "connection_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_integrations_org_id_workspace_id_alias_key" ON "workspace_integrations"("org_id", "workspace_id", "alias");
