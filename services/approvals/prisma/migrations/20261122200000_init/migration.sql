-- CreateTable
CREATE TABLE "approval_policies" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "enabled" BOOLEAN NOT NULL,
    "priority" INTEGER NOT NULL,
    "sources" TEXT[],
    "mcp_server_ids" TEXT[],
    "workspace_integration_ids" TEXT[],
    "integration_names" TEXT[],
    "integration_aliases" TEXT[],
    "action_names" TEXT[],
    "connection_strategies" TEXT[],
    "end_user_mode" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "risk_mode" TEXT NOT NULL,
    "rules" JSON NOT NULL,
    "approvers" JSON NOT NULL,
    "timeout_seconds" INTEGER NOT NULL,
    "default_on_timeout" TEXT NOT NULL,
    "reuse_window_seconds" INTEGER,
    "approval_access_mode" TEXT NOT NULL,
    "metadata" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approval_policies_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "approval_policies_org_id_created_at_id_idx" ON "approval_policies"("org_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "approval_policies_workspace_id_idx" ON "approval_policies"("workspace_id");
