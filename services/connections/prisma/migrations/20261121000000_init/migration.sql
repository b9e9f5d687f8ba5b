-- CreateTable
CREATE TABLE "end_users" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "display_name" TEXT,
    "email" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "type" TEXT NOT NULL DEFAULT 'external',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "end_users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connections" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "integration_name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'ACTIVE',
    "error" JSONB,
    "scope" TEXT NOT NULL,
    "scope_id" UUID NOT NULL,
    "workspace_id" UUID,
    "end_user_id" TEXT,
    "end_user_record_id" UUID,
    "suspended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_id" TEXT NOT NULL,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "end_users_workspace_id_external_id_key" ON "end_users"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "connections_scope_id_integration_name_created_at_id_idx" ON "connections"("scope_id", "integration_name", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "connections_org_id_created_at_id_idx" ON "connections"("org_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "connections_workspace_id_idx" ON "connections"("workspace_id");

-- CreateIndex
CREATE INDEX "connections_end_user_record_id_idx" ON "connections"("end_user_record_id");

-- CreateIndex
CREATE UNIQUE INDEX "connections_scope_id_external_id_key" ON "connections"("scope_id", "external_id");

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_end_user_record_id_fkey" FOREIGN KEY ("end_user_record_id") REFERENCES "end_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
