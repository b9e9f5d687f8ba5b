-- CreateIndex
CREATE INDEX "tokens_server_id_created_at_id_idx" ON "tokens"("server_id", "created_at" DESC, "id" DESC);
