-- Idle connections are looked for by integration, and those that are not refreshed anyway are not walked past.
CREATE INDEX "connections_idle" ON "connections"("integration_name", "refresh_at")
WHERE "status" = 'ACTIVE' AND "suspended_at" IS NULL AND "refresh_at" IS NOT NULL;
DROP INDEX "connections_refresh_at_idx";
