/**
 * The two tables of a service with a database, in its own schema: what its migration contains. docs/events.md shows the
 * Prisma models that go with them.
 */
export const EVENT_TABLES = `
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

CREATE TABLE "inbox" (
  "event_id" UUID NOT NULL,
  "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "inbox_pkey" PRIMARY KEY ("event_id")
);
`;
