-- CreateTable
CREATE TABLE "revocations" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "integration_name" TEXT NOT NULL,
    "oauth_app_id" UUID,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "revocations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "revocations_due_at_idx" ON "revocations"("due_at");

-- CreateIndex
CREATE INDEX "revocations_created_at_idx" ON "revocations"("created_at");

-- CreateIndex
CREATE INDEX "revocations_master_key_id_idx" ON "revocations"("master_key_id");

-- Whoever deletes a connection, one or a workspace's: what gives its grant back is kept for that.
CREATE FUNCTION "keep_for_revocation" () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO revocations (id, org_id, integration_name, oauth_app_id, sealed, wrapped_key, master_key_id)
  SELECT id, org_id, integration_name, oauth_app_id, sealed, wrapped_key, master_key_id FROM changed
  WHERE type IN ('OAUTH2', 'PLATFORM_OAUTH2')
  ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "keep_deleted" AFTER DELETE ON "connections" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_for_revocation();
