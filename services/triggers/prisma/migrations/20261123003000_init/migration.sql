-- CreateTable
CREATE TABLE "sources" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "key_id" UUID,
    "integration_name" TEXT NOT NULL,
    "workspace_integration_id" UUID,
    "integration_alias" TEXT,
    "connection_strategy" TEXT,
    "trigger_name" TEXT NOT NULL,
    "trigger_type" TEXT NOT NULL,
    "connection_id" UUID,
    "connection_external_id" TEXT,
    "end_user_id" TEXT,
    "input" JSON NOT NULL,
    "callback_url" TEXT NOT NULL,
    "callback_metadata" JSON,
    "simulate" BOOLEAN NOT NULL,
    "hook_id" TEXT,
    "webhook_url" TEXT,
    "route_key" TEXT,
    "state" JSON,
    "renew_at" TIMESTAMPTZ(3),
    "polling_minutes" INTEGER,
    "cursor" JSON,
    "poll_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "status" TEXT NOT NULL DEFAULT 'enabling',
    "suspended_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "last_delivery_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "inbound" (
    "id" UUID NOT NULL,
    "org_id" UUID,
    "source_id" UUID,
    "integration_name" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "headers" JSON NOT NULL,
    "body" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbound_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "provider_id" TEXT,
    "payload" JSON NOT NULL,
    "simulate" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "http_status" INTEGER,
    "error_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sources_hook_id_key" ON "sources"("hook_id");

-- CreateIndex
CREATE INDEX "sources_org_id_created_at_id_suspended_at_idx" ON "sources"("org_id", "created_at" DESC, "id" DESC, "suspended_at");

-- CreateIndex
CREATE INDEX "sources_workspace_id_org_id_created_at_id_suspended_at_idx" ON "sources"("workspace_id", "org_id", "created_at" DESC, "id" DESC, "suspended_at");

-- CreateIndex
CREATE INDEX "sources_connection_id_idx" ON "sources"("connection_id");

-- CreateIndex
CREATE INDEX "sources_workspace_id_end_user_id_idx" ON "sources"("workspace_id", "end_user_id");

-- CreateIndex
CREATE INDEX "sources_integration_name_route_key_idx" ON "sources"("integration_name", "route_key");

-- CreateIndex
CREATE INDEX "sources_renew_at_idx" ON "sources"("renew_at");

-- CreateIndex
CREATE INDEX "sources_poll_at_idx" ON "sources"("poll_at");

-- CreateIndex
CREATE INDEX "inbound_source_id_idx" ON "inbound"("source_id");

-- CreateIndex
CREATE INDEX "inbound_received_at_idx" ON "inbound"("received_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_source_id_provider_id_key" ON "events"("source_id", "provider_id");

-- CreateIndex
CREATE INDEX "events_workspace_id_idx" ON "events"("workspace_id");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_event_id_key" ON "deliveries"("event_id");

-- CreateIndex
CREATE INDEX "deliveries_source_id_id_idx" ON "deliveries"("source_id", "id" DESC);

-- CreateIndex
CREATE INDEX "deliveries_workspace_id_idx" ON "deliveries"("workspace_id");

-- CreateIndex
CREATE INDEX "deliveries_updated_at_idx" ON "deliveries"("updated_at");

-- What is listed is what is enabled.
ALTER TABLE "sources" ADD CONSTRAINT "sources_listed" CHECK (("status" = 'enabled') = ("suspended_at" IS NULL));
