-- CreateTable
CREATE TABLE "model_verdicts" (
    "org_id" UUID NOT NULL,
    "policy_id" UUID NOT NULL,
    "policy_version" TIMESTAMPTZ(3) NOT NULL,
    "input_hash" TEXT NOT NULL,
    "is_risky" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_verdicts_pkey" PRIMARY KEY ("org_id","policy_id","policy_version","input_hash")
);

-- CreateIndex
CREATE INDEX "model_verdicts_created_at_idx" ON "model_verdicts"("created_at");
