-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "suspension_reason" TEXT;

-- CreateTable
CREATE TABLE "plan_limits" (
    "org_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "allowed" INTEGER,
    "fitted_at" TIMESTAMPTZ(3),

    CONSTRAINT "plan_limits_pkey" PRIMARY KEY ("org_id")
);

-- CreateIndex
CREATE INDEX "plan_limits_fitted_at_idx" ON "plan_limits"("fitted_at");
