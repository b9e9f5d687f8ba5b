-- CreateTable
CREATE TABLE "source_secrets" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_id" TEXT NOT NULL,

    CONSTRAINT "source_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "source_secrets_workspace_id_idx" ON "source_secrets"("workspace_id");

-- CreateIndex
CREATE INDEX "source_secrets_master_key_id_idx" ON "source_secrets"("master_key_id");
