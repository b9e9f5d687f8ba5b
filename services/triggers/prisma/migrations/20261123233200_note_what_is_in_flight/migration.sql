-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "in_flight" BOOLEAN NOT NULL DEFAULT false;
