-- CreateTable
CREATE TABLE "approval_requests" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "end_user_id" TEXT,
    "source" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "integration_name" TEXT NOT NULL,
    "integration_alias" TEXT,
    "workspace_integration_id" UUID,
    "mcp_server_id" TEXT,
    "action_name" TEXT NOT NULL,
    "input_hash" TEXT NOT NULL,
    "input_preview" JSON NOT NULL,
    "redacted_paths" TEXT[],
    "risk_reasons" TEXT[],
    "approval_access_mode" TEXT NOT NULL,
    "approvers" JSON NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "timeout_seconds" INTEGER NOT NULL,
    "default_on_timeout" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "decider_type" TEXT,
    "decider_id" UUID,
    "decision_reason" TEXT,
    "decision_metadata" JSON,
    "receipt_id" UUID,
    "receipt_expires_at" TIMESTAMPTZ(3),
    "consumed_at" TIMESTAMPTZ(3),
    "execution_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approval_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "approval_requests_org_id_id_idx" ON "approval_requests"("org_id", "id" DESC);

-- CreateIndex
CREATE INDEX "approval_requests_org_id_status_id_idx" ON "approval_requests"("org_id", "status", "id" DESC);

-- CreateIndex
CREATE INDEX "approval_requests_org_id_source_id_idx" ON "approval_requests"("org_id", "source", "id" DESC);

-- CreateIndex
CREATE INDEX "approval_requests_org_id_integration_name_id_idx" ON "approval_requests"("org_id", "integration_name", "id" DESC);

-- CreateIndex
CREATE INDEX "approval_requests_org_id_action_name_id_idx" ON "approval_requests"("org_id", "action_name", "id" DESC);

-- CreateIndex
CREATE INDEX "approval_requests_workspace_id_id_idx" ON "approval_requests"("workspace_id", "id" DESC);

-- CreateIndex
CREATE INDEX "approval_requests_org_id_idempotency_key_created_at_idx" ON "approval_requests"("org_id", "idempotency_key", "created_at" DESC);

-- CreateIndex
CREATE INDEX "approval_requests_org_id_input_hash_decided_at_idx" ON "approval_requests"("org_id", "input_hash", "decided_at" DESC);

-- CreateIndex: what is due, which Prisma can not say.
CREATE INDEX "approval_requests_due" ON "approval_requests"("expires_at") WHERE "status" = 'pending';

-- CreateIndex: of one organization.
CREATE INDEX "approval_requests_pending" ON "approval_requests"("org_id", "expires_at") WHERE "status" = 'pending';

-- CreateIndex: what was decided long ago.
CREATE INDEX "approval_requests_ended" ON "approval_requests"("updated_at") WHERE "status" <> 'pending';
