import { GRANTS, isReading } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';

/** Returns the permissions of a role in an organization. An unknown role has none. */
export function permissionsOfRole(role: string | undefined): Permissions {
  switch (role) {
    case 'owner':
    case 'admin':
      return { scope: 'org', approvals: { decide: true } };
    case 'member':
      return { scope: 'org', grants: GRANTS.filter((grant) => isReading(grant) || grant === 'actions.execute') };
    default:
      return { scope: '' };
  }
}
