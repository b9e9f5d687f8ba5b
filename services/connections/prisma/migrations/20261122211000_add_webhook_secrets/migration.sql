-- CreateTable
CREATE TABLE "webhook_secrets" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_id" TEXT NOT NULL,
    "valid_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_secrets_org_id_id_idx" ON "webhook_secrets"("org_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_secrets_valid_until_idx" ON "webhook_secrets"("valid_until");

-- CreateIndex
CREATE INDEX "webhook_secrets_master_key_id_idx" ON "webhook_secrets"("master_key_id");
