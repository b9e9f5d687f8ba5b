import { type Role } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { isWithin } from './authorize.js';

const RANKS: Record<Role, number> = { owner: 3, admin: 2, member: 1 };

/** What somebody has, or is handed: a person by a role, a key by permissions of its own. */
export interface Authority {
  permissions: Permissions;
  /** Of the person, or of the one for whom the key acts: owners may what no permission says. */
  role: string | undefined;
  /** When a key ends by itself; null: never. A person's does not. */
  until?: Date | null;
}

/** What one hands out must be within what one has: no more, to nobody who is more, and for no longer. What is not known is too much. */
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
