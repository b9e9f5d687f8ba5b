-- The OAuth apps of a deleted workspace stay until what they granted was given back: some seconds.
ALTER TABLE "oauth_apps" ADD COLUMN "abandoned_at" TIMESTAMPTZ(3);
CREATE INDEX "oauth_apps_abandoned" ON "oauth_apps"("id") WHERE "abandoned_at" IS NOT NULL;
CREATE INDEX "revocations_oauth_app_id_idx" ON "revocations"("oauth_app_id");
