-- CreateTable
CREATE TABLE "input_partials" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "integration_name" TEXT NOT NULL,
    "workspace_integration_id" UUID NOT NULL,
    "action_name" TEXT,
    "trigger_name" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "values" JSON NOT NULL,
    "enforced_keys" TEXT[],
    "is_default" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "input_partials_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "input_partials_workspace_id_idx" ON "input_partials"("workspace_id");

-- CreateIndex: those for all actions and triggers are one scope too, which Prisma can not say.
CREATE UNIQUE INDEX "input_partials_scope_name_key" ON "input_partials"("workspace_integration_id", "action_name", "trigger_name", "name") NULLS NOT DISTINCT;

-- AddForeignKey
ALTER TABLE "input_partials" ADD CONSTRAINT "input_partials_workspace_integration_id_fkey" FOREIGN KEY ("workspace_integration_id") REFERENCES "workspace_integrations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
