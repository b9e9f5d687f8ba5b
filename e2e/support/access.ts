import { type Need } from '@drawbridge/contracts';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';

export interface Access {
  grant: Need;
  workspace?: { path: readonly string[]; isOptional: boolean };
  row?: boolean;
}

const METHODS = Object.assign({}, ...Object.values(ACCESS)) as Record<string, Access>;

/** Returns the access rules of the RPC with the name of this operation. Throws if there is no such RPC. */
export function accessOf(operationId: string): Access {
  const access = METHODS[operationId.charAt(0).toLowerCase() + operationId.slice(1)];
  if (!access) throw new Error(`${operationId} is not the name of an RPC`);
  return access;
}
