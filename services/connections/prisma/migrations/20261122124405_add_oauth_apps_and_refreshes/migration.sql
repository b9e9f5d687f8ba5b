-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "oauth_app_id" UUID,
ADD COLUMN     "refresh_at" TIMESTAMPTZ(3),
ADD COLUMN     "refresh_failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refresh_turn" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refresh_until" TIMESTAMPTZ(3),
ADD COLUMN     "retry_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "oauth_apps" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "integration_name" TEXT NOT NULL,
    "workspace_id" UUID,
    "place_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "scopes" JSONB,
    "is_default" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_id" TEXT NOT NULL,

    CONSTRAINT "oauth_apps_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "oauth_apps_org_id_created_at_id_idx" ON "oauth_apps"("org_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "oauth_apps_workspace_id_idx" ON "oauth_apps"("workspace_id");

-- CreateIndex
CREATE INDEX "oauth_apps_place_id_integration_name_created_at_idx" ON "oauth_apps"("place_id", "integration_name", "created_at" DESC);

-- CreateIndex
CREATE INDEX "oauth_apps_master_key_id_idx" ON "oauth_apps"("master_key_id");

-- CreateIndex
CREATE INDEX "connections_refresh_at_idx" ON "connections"("refresh_at");
