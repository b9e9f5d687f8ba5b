export interface TableMigration {
  name: string;
  sql: string;
}

/**
 * The tables of this package in the schema of each service with a database. openDatabase() creates them after the service's own migrations. Services
 * of earlier versions created them in their own migrations; existing tables stay unchanged. Never edit these migrations; add a new migration.
 */
export const EVENT_TABLES: readonly TableMigration[] = [
  {
    name: '20261121200000_events',
    sql: `DO $do$ BEGIN
IF to_regclass('outbox') IS NULL THEN
  CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "org_id" UUID NOT NULL,
    "envelope" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_at" TIMESTAMPTZ(3),
    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
  );
  CREATE INDEX "outbox_unpublished" ON "outbox" ("created_at") WHERE "published_at" IS NULL;
END IF;
IF to_regclass('inbox') IS NULL THEN
  CREATE TABLE "inbox" (
    "event_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "inbox_pkey" PRIMARY KEY ("event_id")
  );
END IF;
END $do$;`,
  },
  {
    // The relay uses this index to find organizations that have unpublished events, and the oldest events of each organization.
    name: '20261123230000_outbox_by_organization',
    sql: `CREATE INDEX IF NOT EXISTS "outbox_waiting" ON "outbox" ("org_id", "created_at", "id") WHERE "published_at" IS NULL;`,
  },
  {
    name: '20261123230100_dead_events',
    sql: `CREATE TABLE "dead_events" (
  "id" UUID NOT NULL,
  "type" TEXT NOT NULL,
  "org_id" UUID NOT NULL,
  "envelope" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "reason" TEXT NOT NULL,
  "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "dead_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "dead_events_failed_at" ON "dead_events" ("failed_at");`,
  },
];

/**
 * Additional tables of a service that stores data of workspaces: the tombstones, and the two functions of `workspaceGuard`, which other SQL
 * statements can call without another round trip. A volatile function takes a new snapshot for each of its statements, so after it has waited for the
 * lock it reads the changes that the lock holder committed.
 */
export const WORKSPACE_TABLES: readonly TableMigration[] = [
  {
    name: '20261121200100_purged_workspaces',
    sql: `DO $do$ BEGIN
IF to_regclass('purged_workspaces') IS NULL THEN
  CREATE TABLE "purged_workspaces" (
    "workspace_id" UUID NOT NULL,
    "purged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "emptied_at" TIMESTAMPTZ(3),
    CONSTRAINT "purged_workspaces_pkey" PRIMARY KEY ("workspace_id")
  );
  CREATE INDEX "purged_workspaces_emptied_at_idx" ON "purged_workspaces" ("emptied_at");
  CREATE INDEX "purged_workspaces_not_empty" ON "purged_workspaces" ("purged_at") WHERE "emptied_at" IS NULL;
END IF;
END $do$;

CREATE OR REPLACE FUNCTION "workspace_lives" ("id" UUID) RETURNS BOOLEAN LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('workspace ' || current_schema() || id, 0));
  RETURN NOT EXISTS (SELECT FROM purged_workspaces WHERE workspace_id = id);
END $$;

CREATE OR REPLACE FUNCTION "bury_workspace" ("id" UUID) RETURNS VOID LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('workspace ' || current_schema() || id, 0));
  INSERT INTO purged_workspaces (workspace_id) VALUES (id) ON CONFLICT DO NOTHING;
END $$;`,
  },
  {
    // The schema name is inserted into the text of the function: a function with a separate search_path is slower, because
    // each call sets and resets it.
    name: '20261121210000_ask_for_a_workspace_at_once',
    sql: `DO $do$ BEGIN EXECUTE format($text$
CREATE OR REPLACE FUNCTION %1$I."workspace_lives" ("id" UUID) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('workspace %1$s' || id, 0));
  RETURN NOT EXISTS (SELECT FROM %1$I.purged_workspaces WHERE workspace_id = id);
END $$;
$text$, current_schema()); END $do$;`,
  },
  {
    // Used for batches of several workspaces: a workspace that is being deleted must not delay the rows of other workspaces.
    name: '20261126100000_check_a_workspace_without_waiting',
    sql: `DO $do$ BEGIN EXECUTE format($text$
CREATE OR REPLACE FUNCTION %1$I."workspace_lives_now" ("id" UUID) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock_shared(hashtextextended('workspace %1$s' || id, 0)) THEN RETURN NULL; END IF;
  RETURN NOT EXISTS (SELECT FROM %1$I.purged_workspaces WHERE workspace_id = id);
END $$;
$text$, current_schema()); END $do$;`,
  },
];
