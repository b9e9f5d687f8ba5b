-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "workspace_id" UUID,
    "actor_type" TEXT NOT NULL,
    "actor_id" UUID,
    "actor_name" TEXT,
    "action" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" UUID,
    "resource_name" TEXT,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "request_id" TEXT NOT NULL,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("org_id","id")
);

-- CreateTable
CREATE TABLE "audit_chains" (
    "org_id" UUID NOT NULL,
    "entries" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("org_id")
);

-- CreateIndex
CREATE INDEX "audit_entries_org_id_workspace_id_id_idx" ON "audit_entries"("org_id", "workspace_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_org_id_actor_id_id_idx" ON "audit_entries"("org_id", "actor_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_org_id_action_id_idx" ON "audit_entries"("org_id", "action", "id");

-- CreateIndex
CREATE INDEX "audit_entries_org_id_resource_type_id_idx" ON "audit_entries"("org_id", "resource_type", "id");

-- CreateIndex
CREATE INDEX "audit_entries_org_id_resource_id_id_idx" ON "audit_entries"("org_id", "resource_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_org_id_seq_key" ON "audit_entries"("org_id", "seq");

-- Entries are added and never touched again, by whatever statement.
CREATE FUNCTION "refuse_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only ever added to' USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "audit_entries_are_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entries"
FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
