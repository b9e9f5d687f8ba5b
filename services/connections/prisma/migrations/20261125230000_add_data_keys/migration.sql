-- CreateTable
CREATE TABLE "data_keys" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "data_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "data_keys_workspace_id_idx" ON "data_keys"("workspace_id");

-- CreateIndex
CREATE INDEX "data_keys_expires_at_idx" ON "data_keys"("expires_at");

-- CreateIndex
CREATE INDEX "data_keys_master_key_id_idx" ON "data_keys"("master_key_id");
