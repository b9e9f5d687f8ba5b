-- AlterTable
ALTER TABLE "action_usage" ADD COLUMN "sandbox_runs" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "action_leases" ADD COLUMN "quota" TEXT NOT NULL DEFAULT 'actions';

-- Grants what is wanted of a quota, and more while much is free. The grant goes under the lease or, if that expired, under a new one. The
-- statement locks the month's row first: no other process is granted anything of it meanwhile, and all leases are visible.
CREATE FUNCTION "lease_quota"("org" UUID, "lease" UUID, "new_lease" UUID, "wanted" INTEGER, "allowed" INTEGER, "of_quota" TEXT)
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
  RETURNING CASE of_quota WHEN 'actions' THEN actions ELSE sandbox_runs END INTO used;
  used := used + (
    SELECT coalesce(sum(held), 0) FROM action_leases
    WHERE org_id = org AND month = this_month AND quota = of_quota AND until > now());
  free := allowed - used;
  granted := least(free, greatest(wanted, CASE WHEN free > near THEN least(block, free / 10) ELSE 0 END));
  IF granted <= 0 THEN
    granted := 0;
    RETURN NEXT;
    RETURN;
  END IF;

  UPDATE action_leases SET held = held + granted, until = now() + lasts
  WHERE id = lease AND org_id = org AND month = this_month AND quota = of_quota AND until > now()
  RETURNING id INTO lease_id;
  IF lease_id IS NULL THEN
    lease_id := new_lease;
    INSERT INTO action_leases (id, org_id, month, held, until, quota)
    VALUES (new_lease, org, this_month, granted, now() + lasts, of_quota);
  END IF;
  RETURN NEXT;
END $$;

-- The previous version calls this one.
CREATE OR REPLACE FUNCTION "lease_actions"("org" UUID, "lease" UUID, "new_lease" UUID, "wanted" INTEGER, "allowed" INTEGER)
RETURNS TABLE ("lease_id" UUID, "granted" INTEGER, "used" INTEGER) LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT * FROM lease_quota(org, lease, new_lease, wanted, allowed, 'actions');
$$;
