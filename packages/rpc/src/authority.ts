import { type Role } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { isWithin } from './authorize.js';

const RANKS: Record<Role, number> = { owner: 3, admin: 2, member: 1 };

/** The permissions that a person (by role) or an API key holds or is about to receive. */
export interface Authority {
  permissions: Permissions;
  /** The role of the person, or of the person that the key acts for. Owners may do things that no permission grants. */
  role: string | undefined;
  /** When the key expires; null: never. Absent for a person. */
  until?: Date | null;
}

/** Returns whether the granted authority stays within the grantor's own: permissions, rank and expiry. An unknown role counts as too much. */
export function isNoMore(handed: Authority, own: Authority): boolean {
  return (
    isWithin(handed.permissions, own.permissions) &&
    rankOf(handed.role, Infinity) <= rankOf(own.role, 0) &&
    endsBy(handed.until, own.until)
  );
}

function rankOf(role: string | undefined, unknown: number): number {
  return Object.entries(RANKS).find(([name]) => name === role)?.[1] ?? unknown;
}

function endsBy(handed: Authority['until'], own: Authority['until']): boolean {
  return handed === undefined || !own || (handed !== null && handed <= own);
}
