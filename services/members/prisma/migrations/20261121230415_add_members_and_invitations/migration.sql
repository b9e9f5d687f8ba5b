-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "expires_at" TIMESTAMPTZ(3) NOT NULL DEFAULT (now() + '7 days'::interval),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_members" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_members_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "invitations_expires_at_idx" ON "invitations"("expires_at");

-- CreateIndex
CREATE INDEX "workspace_members_member_id_idx" ON "workspace_members"("member_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_members_workspace_id_member_id_key" ON "workspace_members"("workspace_id", "member_id");

-- CreateIndex
CREATE INDEX "api_keys_org_id_user_id_idx" ON "api_keys"("org_id", "user_id");

-- CreateIndex
CREATE INDEX "members_org_id_created_at_id_idx" ON "members"("org_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "members_org_id_role_idx" ON "members"("org_id", "role");

-- AddForeignKey
ALTER TABLE "workspace_members" ADD CONSTRAINT "workspace_members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "workspace_members" ADD CONSTRAINT "workspace_members_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- One is open for each email.
CREATE UNIQUE INDEX "invitations_pending" ON "invitations"("org_id", "email") WHERE "status" = 'pending';

-- What a list shows and a quota counts, without those whose time is over. All live equally long: the newest first.
CREATE INDEX "invitations_open" ON "invitations"("org_id", "expires_at" DESC, "id" DESC) WHERE "status" = 'pending';
