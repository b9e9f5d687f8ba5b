-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "inviter_id" UUID,
ADD COLUMN     "inviter_key_id" UUID;

-- An invitation whose sender is unknown cannot be accepted. The audit log knows the senders of those that are pending.
UPDATE "invitations" i
SET "inviter_id" = COALESCE(k."user_id", a."actor_id"), "inviter_key_id" = k."id"
FROM "audit_entries" a
LEFT JOIN "api_keys" k ON a."actor_type" = 'api_key' AND k."org_id" = a."org_id" AND k."id" = a."actor_id"
WHERE i."status" = 'pending' AND a."org_id" = i."org_id" AND a."resource_id" = i."id" AND a."action" = 'invitation.create'
  AND a."outcome" = 'allowed' AND (a."actor_type" = 'user' OR k."id" IS NOT NULL);

-- What is canceled when its sender is removed or demoted.
CREATE INDEX "invitations_sent" ON "invitations"("org_id", "inviter_id") WHERE "status" = 'pending';
