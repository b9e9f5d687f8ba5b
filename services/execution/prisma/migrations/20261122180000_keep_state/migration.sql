-- CreateTable
CREATE TABLE "state_spaces" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "entries" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "seq" BIGINT NOT NULL DEFAULT 1,
    "written_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "state_spaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "state_entries" (
    "space_id" UUID NOT NULL,
    "integration" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "value" JSON NOT NULL,
    "note" JSON NOT NULL,
    "words" TSVECTOR,
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "state_entries_pkey" PRIMARY KEY ("space_id","integration","key")
);

-- CreateTable
CREATE TABLE "state_totals" (
    "org_id" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "state_totals_pkey" PRIMARY KEY ("org_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "state_spaces_workspace_id_scope_owner_key" ON "state_spaces"("workspace_id", "scope", "owner");

-- CreateIndex
CREATE INDEX "state_entries_space_id_integration_seq_idx" ON "state_entries"("space_id", "integration", "seq");

-- Keys in the order of their bytes, by which a prefix is a range.
CREATE INDEX "state_entries_by_key" ON "state_entries"("space_id", "integration", "key" COLLATE "C");

-- What a space holds, read from the index alone.
CREATE INDEX "state_entries_sizes" ON "state_entries"("space_id", "org_id", "bytes");

-- What goes by itself.
CREATE INDEX "state_entries_expiring" ON "state_entries"("expires_at") WHERE "expires_at" IS NOT NULL;
CREATE INDEX "state_spaces_empty" ON "state_spaces"("written_at") WHERE "entries" = 0;
CREATE INDEX "state_spaces_gone" ON "state_spaces"("id") WHERE "scope" = 'gone';
