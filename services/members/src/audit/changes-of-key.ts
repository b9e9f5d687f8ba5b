import { Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type ApiKey } from '../gen/prisma/client.js';

type Changeable = Pick<ApiKey, 'name' | 'permissions'>;

/** What a new key may do, as the audit log says it. */
export function permissionsOfNew({ permissions, expiresAt }: Pick<ApiKey, 'permissions' | 'expiresAt'>): string {
  const until = expiresAt ? `, until ${expiresAt.toISOString()}` : '';
  return `permissions ${toText(permissions)}${until}`;
}

/** What a change made of a key. */
export function changesOfKey(before: Changeable, after: Changeable): string {
  const name = before.name === after.name ? [] : [`name from "${before.name}" to "${after.name}"`];
  const [had, has] = [toText(before.permissions), toText(after.permissions)];
  const permissions = had === has ? [] : [`permissions from ${had} to ${has}`];
  return [...name, ...permissions].join(', ') || 'as before';
}

/** In the order of the proto: the column has an order of its own. */
function toText(permissions: ApiKey['permissions']): string {
  return JSON.stringify(Permissions.fromPartial((permissions ?? {}) as Partial<Permissions>));
}
