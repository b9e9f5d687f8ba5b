-- CreateIndex
CREATE INDEX "connections_master_key_id_idx" ON "connections"("master_key_id");
