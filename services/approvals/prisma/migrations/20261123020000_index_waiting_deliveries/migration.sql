-- CreateIndex: what of an organization was never tried, which Prisma can not say.
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries"("org_id") WHERE "status" = 'pending';
