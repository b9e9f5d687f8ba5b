-- CreateTable
CREATE TABLE "executions" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "integration_name" TEXT NOT NULL,
    "integration_alias" TEXT,
    "action_name" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "end_user_id" TEXT,
    "connection_id" UUID,
    "status" TEXT NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "error" JSON,
    "approval_id" TEXT,
    "input" JSON NOT NULL,
    "output" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "executions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "claims" (
    "org_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "execution_id" UUID NOT NULL,
    "run" JSON NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "outcome" JSON,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "claims_pkey" PRIMARY KEY ("org_id","key")
);

-- CreateIndex
CREATE INDEX "executions_org_id_id_idx" ON "executions"("org_id", "id" DESC);

-- CreateIndex
CREATE INDEX "executions_workspace_id_idx" ON "executions"("workspace_id");

-- CreateIndex
CREATE INDEX "claims_expires_at_idx" ON "claims"("expires_at");

-- Runs whose process may have died.
CREATE INDEX "claims_running" ON "claims"("lease_until") WHERE "outcome" IS NULL;
