-- CreateTable
CREATE TABLE "portal_tokens" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "end_user_id" UUID NOT NULL,
    "token_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "integration_name" TEXT,
    "email" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "portal_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sent_mails" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "sent_mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "portal_tokens_end_user_id_id_idx" ON "portal_tokens"("end_user_id", "id" DESC);

-- CreateIndex
CREATE INDEX "portal_tokens_expires_at_idx" ON "portal_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "portal_tokens_token_hashes_idx" ON "portal_tokens" USING GIN ("token_hashes");

-- CreateIndex
CREATE INDEX "sent_mails_email_created_at_idx" ON "sent_mails"("email", "created_at");

-- CreateIndex
CREATE INDEX "sent_mails_org_id_created_at_idx" ON "sent_mails"("org_id", "created_at");

-- CreateIndex
CREATE INDEX "sent_mails_created_at_idx" ON "sent_mails"("created_at");

-- AddForeignKey
ALTER TABLE "portal_tokens" ADD CONSTRAINT "portal_tokens_end_user_id_fkey" FOREIGN KEY ("end_user_id") REFERENCES "end_users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
