-- CreateTable
CREATE TABLE "running_executions" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run" JSON NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "running_executions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "console_lines" (
    "id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "level" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "console_lines_pkey" PRIMARY KEY ("id", "line")
);

-- CreateIndex
CREATE INDEX "running_executions_org_id_until_idx" ON "running_executions"("org_id", "until");

-- CreateIndex
CREATE INDEX "running_executions_workspace_id_idx" ON "running_executions"("workspace_id");

-- CreateIndex
CREATE INDEX "console_lines_workspace_id_idx" ON "console_lines"("workspace_id");
