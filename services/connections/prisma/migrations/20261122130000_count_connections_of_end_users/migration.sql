-- AlterTable
ALTER TABLE "end_users" ADD COLUMN     "connection_count" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "connections_end_user_record_id_created_at_id_idx" ON "connections"("end_user_record_id", "created_at" DESC, "id" DESC);

-- DropIndex
DROP INDEX "connections_end_user_record_id_idx";

-- CreateIndex
CREATE INDEX "end_users_org_id_workspace_id_created_at_id_idx" ON "end_users"("org_id", "workspace_id", "created_at" DESC, "id" DESC);

-- To count them at each look would cost what there are.
CREATE FUNCTION "count_connections_of_end_users" () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  sign INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  UPDATE end_users SET connection_count = connection_count + sign * theirs.count
  FROM (
    SELECT end_user_record_id AS id, count(*) AS count FROM changed WHERE end_user_record_id IS NOT NULL GROUP BY 1
  ) AS theirs
  WHERE end_users.id = theirs.id;
  RETURN NULL;
END $$;

-- By their names after those of the totals: whoever changes both counts takes them in one order.
CREATE TRIGGER "count_inserted_of_end_users" AFTER INSERT ON "connections" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_connections_of_end_users"();
CREATE TRIGGER "count_deleted_of_end_users" AFTER DELETE ON "connections" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION "count_connections_of_end_users"();

UPDATE "end_users" SET "connection_count" = theirs.count
FROM (
  SELECT "end_user_record_id" AS id, count(*) AS count FROM "connections" WHERE "end_user_record_id" IS NOT NULL GROUP BY 1
) AS theirs
WHERE "end_users"."id" = theirs.id;
