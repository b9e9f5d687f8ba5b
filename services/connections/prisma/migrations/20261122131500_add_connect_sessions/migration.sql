-- CreateTable
CREATE TABLE "connect_sessions" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "user_id" UUID,
    "key_id" UUID,
    "integration_name" TEXT NOT NULL,
    "connection_name" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "end_user_id" TEXT,
    "scope" TEXT NOT NULL,
    "oauth_app_id" UUID,
    "success_redirect_uri" TEXT,
    "error_redirect_uri" TEXT,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "turn" INTEGER NOT NULL DEFAULT 0,
    "connection_id" UUID,
    "error" TEXT,
    "browser_hash" TEXT,
    "nonce" TEXT,
    "asked_app_id" UUID,
    "asked_until" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connect_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "connect_sessions_token_hash_key" ON "connect_sessions"("token_hash");

-- CreateIndex
CREATE INDEX "connect_sessions_workspace_id_end_user_id_idx" ON "connect_sessions"("workspace_id", "end_user_id");

-- CreateIndex
CREATE INDEX "connect_sessions_expires_at_idx" ON "connect_sessions"("expires_at");
