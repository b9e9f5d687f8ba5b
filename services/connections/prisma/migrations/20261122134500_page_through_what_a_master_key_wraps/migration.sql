-- CreateIndex: while it is built only writes wait, so the old one goes last.
CREATE INDEX "connections_master_key_id_id_idx" ON "connections"("master_key_id", "id");

-- DropIndex
DROP INDEX "connections_master_key_id_idx";
