-- AlterTable
ALTER TABLE "source_secrets" ADD COLUMN     "connection_id" UUID;

-- AlterTable
ALTER TABLE "revocations" ADD COLUMN     "type" TEXT;

-- CreateIndex
CREATE INDEX "source_secrets_connection_id_idx" ON "source_secrets"("connection_id");

-- Of whatever type: while a trigger is ended with it. A grant is given back after that.
CREATE OR REPLACE FUNCTION "keep_for_revocation" () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO revocations (id, org_id, integration_name, oauth_app_id, type, sealed, wrapped_key, master_key_id, due_at)
  SELECT id, org_id, integration_name, oauth_app_id, type, sealed, wrapped_key, master_key_id,
    CASE WHEN has_triggers THEN now() + interval '20 seconds' ELSE now() END
  FROM changed CROSS JOIN LATERAL (
    SELECT EXISTS (SELECT FROM source_secrets WHERE connection_id = changed.id) AS has_triggers) used
  WHERE has_triggers OR type IN ('OAUTH2', 'PLATFORM_OAUTH2')
  ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $$;
