-- CreateTable
CREATE TABLE "purged_workspaces" (
    "workspace_id" UUID NOT NULL,
    "purged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "emptied_at" TIMESTAMPTZ(3),

    CONSTRAINT "purged_workspaces_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE INDEX "purged_workspaces_emptied_at_idx" ON "purged_workspaces"("emptied_at");

CREATE INDEX "purged_workspaces_not_empty" ON "purged_workspaces"("purged_at") WHERE "emptied_at" IS NULL;

-- True while the workspace is not noted as gone, which it then can't be before the transaction ends. A volatile function
-- looks anew in each of its statements: after the wait for the lock it sees what the holder has committed.
CREATE FUNCTION "workspace_lives"("id" UUID) RETURNS BOOLEAN LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('workspace ' || current_schema() || id, 0));
  RETURN NOT EXISTS (SELECT FROM purged_workspaces WHERE workspace_id = id);
END $$;

-- Notes that a workspace is gone, once all who write into it have ended.
CREATE FUNCTION "bury_workspace"("id" UUID) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('workspace ' || current_schema() || id, 0));
  INSERT INTO purged_workspaces (workspace_id) VALUES (id) ON CONFLICT DO NOTHING;
END $$;
