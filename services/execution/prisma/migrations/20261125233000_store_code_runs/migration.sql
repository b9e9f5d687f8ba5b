-- CreateTable
CREATE TABLE "code_runs" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "mcp_server_id" TEXT NOT NULL,
    "end_user_id" TEXT,
    "end_user_record_id" TEXT,
    "status" TEXT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "tool_surface_hash" TEXT NOT NULL,
    "data_key_id" UUID,
    "sealed" BYTEA,
    "console" JSON NOT NULL,
    "calls" JSON NOT NULL,
    "result" JSON,
    "started_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "holder" UUID,
    "crashed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "code_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "code_run_approvals" (
    "id" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,

    CONSTRAINT "code_run_approvals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "code_runs_workspace_id_end_user_id_idx" ON "code_runs"("workspace_id", "end_user_id");

-- CreateIndex
CREATE INDEX "code_runs_expires_at_idx" ON "code_runs"("expires_at");

-- CreateIndex
CREATE INDEX "code_run_approvals_run_id_idx" ON "code_run_approvals"("run_id");

-- AddForeignKey
ALTER TABLE "code_run_approvals" ADD CONSTRAINT "code_run_approvals_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "code_runs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The snapshot is compressed and encrypted: PostgreSQL would try in vain to compress it again.
ALTER TABLE "code_runs" ALTER COLUMN "sealed" SET STORAGE EXTERNAL;
