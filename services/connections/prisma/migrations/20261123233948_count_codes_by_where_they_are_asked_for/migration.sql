-- AlterTable
ALTER TABLE "email_proofs" ADD COLUMN     "is_known" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "origins" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "proven_origins" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "proven_origins_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "proven_origins_expires_at_idx" ON "proven_origins"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "proven_origins_org_id_email_origin_key" ON "proven_origins"("org_id", "email", "origin");

-- Those that were mailed alone: emails of nobody are asked for without a limit for the organization.
CREATE INDEX "email_proofs_mailed" ON "email_proofs"("org_id", "created_at") WHERE "code_hashes" <> '{}';
