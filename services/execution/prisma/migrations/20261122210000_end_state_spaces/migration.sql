-- AlterTable
ALTER TABLE "state_spaces" ADD COLUMN "ended_at" TIMESTAMPTZ(3);

-- What was let go before.
UPDATE "state_spaces" SET "ended_at" = now() WHERE "scope" = 'gone';
DROP INDEX "state_spaces_gone";

-- What is to be emptied.
CREATE INDEX "state_spaces_ended" ON "state_spaces"("id") WHERE "ended_at" IS NOT NULL AND "entries" > 0;
