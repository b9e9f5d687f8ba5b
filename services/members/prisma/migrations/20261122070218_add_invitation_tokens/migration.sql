-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "token_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "invitations_token_hashes_idx" ON "invitations" USING GIN ("token_hashes");
