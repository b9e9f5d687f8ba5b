import { shortened } from '@drawbridge/events';
import { Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type ApiKey } from '../gen/prisma/client.js';

/** An entry shows the state before and after, and has 4,000 characters for both. */
const MOST_CHARACTERS = 1_800;

type Changeable = Pick<ApiKey, 'name' | 'permissions'>;

/** Returns the permissions of a new key for the audit log. */
export function permissionsOfNew({ permissions, expiresAt }: Pick<ApiKey, 'permissions' | 'expiresAt'>): string {
  const until = expiresAt ? `, until ${expiresAt.toISOString()}` : '';
  return `permissions ${shown(toJson(permissions))}${until}`;
}

/** Returns the changes of a key for the audit log. */
export function changesOfKey(before: Changeable, after: Changeable): string {
  const name = before.name === after.name ? [] : [`name from "${before.name}" to "${after.name}"`];
  const [had, has] = [toJson(before.permissions), toJson(after.permissions)];
  const permissions = had === has ? [] : [`permissions from ${shown(had)} to ${shown(has)}`];
  return [...name, ...permissions].join(', ') || 'as before';
}

/** Returns the fields in the order of the proto, because the column has its own order. */
function toJson(permissions: ApiKey['permissions']): string {
  return JSON.stringify(Permissions.fromPartial((permissions ?? {}) as Partial<Permissions>));
}

const shown = (json: string): string => shortened(json, MOST_CHARACTERS);
