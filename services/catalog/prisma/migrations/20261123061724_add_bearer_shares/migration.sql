-- CreateTable
CREATE TABLE "bearer_shares" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "bearer_shares_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "bearer_shares_workspace_id_idx" ON "bearer_shares"("workspace_id");

-- CreateIndex
CREATE INDEX "bearer_shares_confirmed_at_created_at_idx" ON "bearer_shares"("confirmed_at", "created_at");
