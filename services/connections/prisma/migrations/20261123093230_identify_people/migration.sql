-- AlterTable
ALTER TABLE "end_users" ADD COLUMN     "user_id" UUID;

-- CreateTable
CREATE TABLE "email_proofs" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "flow_hash" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "code_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "tries" INTEGER NOT NULL DEFAULT 0,
    "proven_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "email_proofs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "email_proofs_flow_hash_idx" ON "email_proofs"("flow_hash");

-- CreateIndex
CREATE INDEX "email_proofs_email_created_at_idx" ON "email_proofs"("email", "created_at");

-- CreateIndex
CREATE INDEX "email_proofs_org_id_created_at_idx" ON "email_proofs"("org_id", "created_at");

-- CreateIndex
CREATE INDEX "email_proofs_workspace_id_idx" ON "email_proofs"("workspace_id");

-- CreateIndex
CREATE INDEX "email_proofs_created_at_idx" ON "email_proofs"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "end_users_workspace_id_user_id_key" ON "end_users"("workspace_id", "user_id");

-- CreateIndex: who is found by an email, however it was written
CREATE INDEX "end_users_of_email" ON "end_users"("workspace_id", lower("email")) WHERE "email" IS NOT NULL;
