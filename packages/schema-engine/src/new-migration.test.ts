import { findRisks } from './new-migration.js';

describe('the risks of a migration', () => {
  it.each([
    ['DROP TABLE "workspaces";', 'loses what is stored'],
    ['ALTER TABLE "workspaces" DROP COLUMN "slug",', 'loses what is stored'],
    ['DROP TYPE "Plan";', 'loses what is stored'],
    ['ALTER TABLE "workspaces" ADD COLUMN     "slug" TEXT NOT NULL;', 'they would have no value'],
    ['ADD COLUMN     "slug" TEXT NOT NULL,', 'they would have no value'],
    ['ALTER TABLE "workspaces" ALTER COLUMN "slug" SET NOT NULL;', 'fails where a row has no value'],
    ['ALTER TABLE "workspaces" ALTER COLUMN "slug" SET DATA TYPE VARCHAR(50);', 'rewrites the table'],
    ['CREATE UNIQUE INDEX "workspaces_slug_key" ON "workspaces"("slug");', 'stored rows are equal'],
  ])('hold %s', (sql, why) => {
    expect(findRisks(`-- A comment\n${sql}\n`)).toEqual([{ sql, why: expect.stringContaining(why) }]);
  });

  it.each([
    ['ALTER TABLE "workspaces" ADD COLUMN     "slug" TEXT;'],
    [`ALTER TABLE "workspaces" ADD COLUMN     "slug" TEXT NOT NULL DEFAULT '';`],
    ['CREATE INDEX "workspaces_slug_idx" ON "workspaces"("slug");'],
    ['CREATE TABLE "keys" (\n    "id" UUID NOT NULL\n);\nCREATE UNIQUE INDEX "keys_id_key" ON "keys"("id");'],
  ])('do not hold %s', (sql) => {
    expect(findRisks(sql)).toEqual([]);
  });
});
