-- CreateTable
CREATE TABLE "totals" (
    "org_id" UUID NOT NULL,
    "of" TEXT NOT NULL,
    "rows" INTEGER NOT NULL,
    "suspended" INTEGER NOT NULL,

    CONSTRAINT "totals_pkey" PRIMARY KEY ("org_id","of")
);

CREATE FUNCTION "count_rows"() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  sign INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO totals AS known (org_id, "of", rows, suspended)
  SELECT org_id, TG_TABLE_NAME, sign * count(*), sign * count(suspended_at) FROM changed GROUP BY org_id ORDER BY org_id
  ON CONFLICT (org_id, "of") DO UPDATE SET
    rows = known.rows + excluded.rows, suspended = known.suspended + excluded.suspended;
  RETURN NULL;
END $$;

CREATE FUNCTION "count_plain_rows"() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  sign INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO totals AS known (org_id, "of", rows, suspended)
  SELECT org_id, TG_TABLE_NAME, sign * count(*), sign * 0 FROM changed GROUP BY org_id ORDER BY org_id
  ON CONFLICT (org_id, "of") DO UPDATE SET
    rows = known.rows + excluded.rows, suspended = known.suspended + excluded.suspended;
  RETURN NULL;
END $$;

CREATE FUNCTION "count_suspension"() RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE totals SET suspended = suspended + CASE WHEN NEW.suspended_at IS NULL THEN -1 ELSE 1 END
  WHERE org_id = NEW.org_id AND "of" = TG_TABLE_NAME;
  RETURN NULL;
END $$;

-- A trigger's table stays locked for writers until this migration ends: what is counted at its end is all there was.
-- Members before keys, as an organization is made: the other way round the two would lock each other out.

CREATE TRIGGER "count_inserted" AFTER INSERT ON "workspaces" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER "count_deleted" AFTER DELETE ON "workspaces" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_rows();
CREATE TRIGGER "count_suspended" AFTER UPDATE OF "suspended_at" ON "workspaces" FOR EACH ROW
  WHEN ((OLD.suspended_at IS NULL) <> (NEW.suspended_at IS NULL)) EXECUTE FUNCTION count_suspension();
INSERT INTO "totals" SELECT "org_id", 'workspaces', count(*), count("suspended_at") FROM "workspaces" GROUP BY "org_id";

CREATE TRIGGER "count_inserted" AFTER INSERT ON "members" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_plain_rows();
CREATE TRIGGER "count_deleted" AFTER DELETE ON "members" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_plain_rows();
INSERT INTO "totals" SELECT "org_id", 'members', count(*), 0 FROM "members" GROUP BY "org_id";

CREATE TRIGGER "count_inserted" AFTER INSERT ON "api_keys" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_plain_rows();
CREATE TRIGGER "count_deleted" AFTER DELETE ON "api_keys" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_plain_rows();
INSERT INTO "totals" SELECT "org_id", 'api_keys', count(*), 0 FROM "api_keys" GROUP BY "org_id";
