-- However many an owner has that can not be used, the newest that can is the first here.
CREATE INDEX "connections_usable" ON "connections"("scope_id", "integration_name", "created_at" DESC, "id" DESC)
  WHERE "status" = 'ACTIVE' AND "suspended_at" IS NULL;
