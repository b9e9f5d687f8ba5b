-- What each source of an organization has waiting is counted in the index alone.
DROP INDEX "deliveries_open";
CREATE INDEX "deliveries_open" ON "deliveries"("status", "org_id") INCLUDE ("bytes", "source_id") WHERE "status" <> 'success';
