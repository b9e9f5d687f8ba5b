import { type PackageMigration } from './migrate.js';

/** A table with a list per organization. A table with `isSuspendable` has the column `suspended_at`. */
export interface CountedTable {
  name: string;
  isSuspendable?: boolean;
  /** Set if rows are counted per workspace. Not supported together with `isSuspendable`, because no list needs both. */
  isPerWorkspace?: boolean;
}

const COUNT = (suspended: string): string => `RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  sign INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO totals AS known (org_id, "of", rows, suspended)
  SELECT org_id, TG_TABLE_NAME, sign * count(*), sign * ${suspended} FROM changed GROUP BY org_id ORDER BY org_id
  ON CONFLICT (org_id, "of") DO UPDATE SET
    rows = known.rows + excluded.rows, suspended = known.suspended + excluded.suspended;
  RETURN NULL;
END $$`;

const TOTALS: PackageMigration = {
  name: '20261122110000_totals',
  sql: `
CREATE TABLE IF NOT EXISTS "totals" (
  "org_id" UUID NOT NULL,
  "of" TEXT NOT NULL,
  "rows" INTEGER NOT NULL,
  "suspended" INTEGER NOT NULL,
  CONSTRAINT "totals_pkey" PRIMARY KEY ("org_id", "of")
);
CREATE OR REPLACE FUNCTION "count_rows" () ${COUNT('count(suspended_at)')};
CREATE OR REPLACE FUNCTION "count_plain_rows" () ${COUNT('0')};
CREATE OR REPLACE FUNCTION "count_suspension" () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE totals SET suspended = suspended + CASE WHEN NEW.suspended_at IS NULL THEN -1 ELSE 1 END
  WHERE org_id = NEW.org_id AND "of" = TG_TABLE_NAME;
  RETURN NULL;
END $$;`,
};

/** The migration that counts rows per workspace. A count that reaches 0 is deleted, because counts of deleted workspaces would accumulate. */
const WORKSPACES: PackageMigration = {
  name: '20261122123000_totals_of_workspaces',
  sql: `
CREATE OR REPLACE FUNCTION "count_rows_of_workspaces" () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  sign INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO totals AS known (org_id, "of", rows, suspended)
  SELECT org_id, TG_TABLE_NAME || ' ' || workspace_id, sign * count(*), 0 FROM changed
  GROUP BY org_id, workspace_id ORDER BY org_id, workspace_id
  ON CONFLICT (org_id, "of") DO UPDATE SET rows = known.rows + excluded.rows;
  IF sign < 0 THEN
    DELETE FROM totals WHERE rows = 0
    AND (org_id, "of") IN (SELECT org_id, TG_TABLE_NAME || ' ' || workspace_id FROM changed);
  END IF;
  RETURN NULL;
END $$;`,
};

/** The Prisma delegate of `totals`, a table of row counts that database triggers maintain. */
export interface Totals {
  findUnique(args: object): PromiseLike<{ rows: number; suspended: number } | null>;
}

/** Returns the counts under a name in `totals`, which has no row for an organization that never had a row in the table. */
export async function countsOf(totals: Totals, orgId_of: { orgId: string; of: string }) {
  return (await totals.findUnique({ where: { orgId_of } })) ?? { rows: 0, suspended: 0 };
}

/** Returns the name in `totals` for the rows of an organization, or of one workspace, in a table. */
export function totalName(table: string, workspaceId?: string): string {
  return workspaceId === undefined ? table : `${table} ${workspaceId.toLowerCase()}`;
}

/**
 * Returns the migrations of the table `totals` and its triggers, which count the rows of each table per organization. Counting on demand would become
 * slower with the number of rows. They are applied after the service's own migrations, one per table. Never edit them.
 */
export function totalsOf(tables: readonly CountedTable[]): PackageMigration[] {
  if (tables.length === 0) return [];
  const ofWorkspaces = tables.some(({ isPerWorkspace }) => isPerWorkspace) ? [WORKSPACES] : [];
  return [TOTALS, ...ofWorkspaces, ...tables.map(triggersOf)];
}

/**
 * Returns the migration that creates the triggers of a table and counts its rows. It does nothing if the triggers exist, because services of earlier
 * versions created them in their own migrations. Creating a trigger blocks writes to the table until the migration ends, so the count at the end of
 * the migration is complete.
 */
function triggersOf({ name, isSuspendable, isPerWorkspace }: CountedTable): PackageMigration {
  const [count, suspended] = isSuspendable ? ['count_rows', 'count(suspended_at)'] : ['count_plain_rows', '0'];
  const [trigger, of, by] = isPerWorkspace
    ? ['count_rows_of_workspaces', `'${name} ' || "workspace_id"`, '"org_id", "workspace_id"']
    : [count, `'${name}'`, '"org_id"'];
  const changed = (event: string, row: string): string =>
    `AFTER ${event} ON "${name}" REFERENCING ${row} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${trigger}()`;
  const suspension = `CREATE TRIGGER "count_suspended" AFTER UPDATE OF "suspended_at" ON "${name}" FOR EACH ROW
    WHEN ((OLD.suspended_at IS NULL) <> (NEW.suspended_at IS NULL)) EXECUTE FUNCTION count_suspension();`;
  return {
    name: `20261122110100_totals_of_${name}`,
    sql: `DO $do$ BEGIN
IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = '"${name}"'::regclass AND tgname = 'count_inserted') THEN
  CREATE TRIGGER "count_inserted" ${changed('INSERT', 'NEW')};
  CREATE TRIGGER "count_deleted" ${changed('DELETE', 'OLD')};
  ${isSuspendable ? suspension : ''}
  INSERT INTO "totals" SELECT "org_id", ${of}, count(*), ${suspended} FROM "${name}" GROUP BY ${by};
END IF;
END $do$;`,
  };
}
