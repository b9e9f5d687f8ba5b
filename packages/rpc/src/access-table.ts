import { ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Access } from './authorize.js';

/** Access terms of each RPC, by the full name of its service and the name of its method. */
export const ACCESS_TABLE: { readonly [service: string]: { readonly [method: string]: Access } } = ACCESS;
