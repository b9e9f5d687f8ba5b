-- CreateTable
CREATE TABLE "sent_mails" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "sent_mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sent_mails_email_created_at_idx" ON "sent_mails"("email", "created_at");

-- CreateIndex
CREATE INDEX "sent_mails_org_id_created_at_idx" ON "sent_mails"("org_id", "created_at");

-- CreateIndex
CREATE INDEX "sent_mails_created_at_idx" ON "sent_mails"("created_at");
