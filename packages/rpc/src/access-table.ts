import { ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Access } from './authorize.js';

/** By a service's full name and the name of its method. */
export const ACCESS_TABLE: { readonly [service: string]: { readonly [method: string]: Access } } = ACCESS;
