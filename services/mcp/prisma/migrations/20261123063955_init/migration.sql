-- CreateTable
CREATE TABLE "servers" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "mode" TEXT NOT NULL,
    "approval_wait_seconds" INTEGER NOT NULL,
    "auth_mode" TEXT NOT NULL,
    "end_user_access" TEXT NOT NULL,
    "end_user_id" TEXT,
    "end_user_record_id" UUID,
    "created_by" TEXT,
    "share_id" UUID,
    "static_token_hash" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,
    "suspended_at" TIMESTAMPTZ(3),
    "suspension_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "servers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tools" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "integration_name" TEXT NOT NULL,
    "integration_alias" TEXT NOT NULL,
    "action_name" TEXT NOT NULL,
    "workspace_integration_id" UUID,
    "connection_id" UUID,
    "is_cut_off" BOOLEAN NOT NULL DEFAULT false,
    "display_name" TEXT,
    "description" TEXT,
    "input_defaults" JSON,
    "partial_ids" JSONB,
    "sort_order" DOUBLE PRECISION NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tools_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tokens" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "server_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "token_prefix" TEXT NOT NULL,
    "scopes" TEXT[],
    "end_user_id" TEXT NOT NULL,
    "end_user_record_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan_limits" (
    "org_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "allowed" INTEGER,
    "fitted_at" TIMESTAMPTZ(3),

    CONSTRAINT "plan_limits_pkey" PRIMARY KEY ("org_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "servers_static_token_hash_key" ON "servers"("static_token_hash");

-- CreateIndex
CREATE INDEX "servers_org_id_created_at_id_suspended_at_idx" ON "servers"("org_id", "created_at" DESC, "id" DESC, "suspended_at");

-- CreateIndex
CREATE INDEX "servers_workspace_id_org_id_created_at_id_suspended_at_idx" ON "servers"("workspace_id", "org_id", "created_at" DESC, "id" DESC, "suspended_at");

-- CreateIndex
CREATE INDEX "servers_end_user_record_id_idx" ON "servers"("end_user_record_id");

-- CreateIndex
CREATE INDEX "tools_workspace_id_idx" ON "tools"("workspace_id");

-- CreateIndex
CREATE INDEX "tools_org_id_connection_id_idx" ON "tools"("org_id", "connection_id");

-- CreateIndex
CREATE INDEX "tools_workspace_integration_id_idx" ON "tools"("workspace_integration_id");

-- CreateIndex
CREATE UNIQUE INDEX "tools_server_id_integration_alias_action_name_key" ON "tools"("server_id", "integration_alias", "action_name");

-- CreateIndex
CREATE UNIQUE INDEX "tokens_token_hash_key" ON "tokens"("token_hash");

-- CreateIndex
CREATE INDEX "tokens_server_id_end_user_record_id_kind_created_at_id_idx" ON "tokens"("server_id", "end_user_record_id", "kind", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tokens_workspace_id_idx" ON "tokens"("workspace_id");

-- CreateIndex
CREATE INDEX "tokens_end_user_record_id_idx" ON "tokens"("end_user_record_id");

-- CreateIndex
CREATE INDEX "tokens_expires_at_idx" ON "tokens"("expires_at");

-- CreateIndex
CREATE INDEX "plan_limits_fitted_at_idx" ON "plan_limits"("fitted_at");

-- AddForeignKey
ALTER TABLE "tools" ADD CONSTRAINT "tools_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_server_id_fkey" FOREIGN KEY ("server_id") REFERENCES "servers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
