-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "request_id" UUID,
    "facts" JSON,
    "event_type" TEXT NOT NULL,
    "callback_url" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "http_status" INTEGER,
    "error_message" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_deliveries_request_id_id_idx" ON "webhook_deliveries"("request_id", "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_workspace_id_idx" ON "webhook_deliveries"("workspace_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_updated_at_idx" ON "webhook_deliveries"("updated_at");
