-- CreateTable
CREATE TABLE "action_leases" (
    "id" UUID NOT NULL,
    "org_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "held" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "action_leases_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "action_leases_org_id_month_idx" ON "action_leases"("org_id", "month");

-- CreateIndex
CREATE INDEX "action_leases_until_idx" ON "action_leases"("until");

-- Grants what is asked for, and more while much is free, under the lease or, where that is over, under a new one. The month's
-- row is written first, and so held: nobody else is granted anything of it meanwhile, and what others hold is seen as it is.
CREATE FUNCTION "lease_actions"("org" UUID, "lease" UUID, "new_lease" UUID, "wanted" INTEGER, "allowed" INTEGER)
RETURNS TABLE ("lease_id" UUID, "granted" INTEGER, "used" INTEGER) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  this_month DATE := date_trunc('month', now() AT TIME ZONE 'UTC');
  near CONSTANT INTEGER := 200;
  block CONSTANT INTEGER := 100;
  lasts CONSTANT INTERVAL := '10 minutes';
  free INTEGER;
BEGIN
  INSERT INTO action_usage AS known (org_id, month, actions) VALUES (org, this_month, 0)
  ON CONFLICT (org_id, month) DO UPDATE SET actions = known.actions
  RETURNING actions INTO used;
  used := used + (
    SELECT coalesce(sum(held), 0) FROM action_leases WHERE org_id = org AND month = this_month AND until > now());
  free := allowed - used;
  granted := least(free, greatest(wanted, CASE WHEN free > near THEN least(block, free / 10) ELSE 0 END));
  IF granted <= 0 THEN
    granted := 0;
    RETURN NEXT;
    RETURN;
  END IF;

  UPDATE action_leases SET held = held + granted, until = now() + lasts
  WHERE id = lease AND org_id = org AND month = this_month AND until > now()
  RETURNING id INTO lease_id;
  IF lease_id IS NULL THEN
    lease_id := new_lease;
    INSERT INTO action_leases (id, org_id, month, held, until) VALUES (new_lease, org, this_month, granted, now() + lasts);
  END IF;
  RETURN NEXT;
END $$;
