import { GRANTS } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { isGranted, isWithin } from '@drawbridge/rpc';
import { permissionsOfRole } from './permissions-of-role.js';

/** Returns the permissions of a key: those that it was granted, limited to what its user may do now. */
export function permissionsOfKey(given: Permissions, role: string): Permissions {
  const own = permissionsOfRole(role);
  if (isWithin(given, own)) return given;
  return {
    ...given,
    scope: own.scope && given.scope,
    approvals: { decide: isGranted('approvals.decide', given) && isGranted('approvals.decide', own) },
    grants: GRANTS.filter((grant) => isGranted(grant, given) && isGranted(grant, own)),
  };
}
