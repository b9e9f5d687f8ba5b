import { ConnectPageServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { ConnectSessionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { expose } from '@drawbridge/rpc';
import { type ServiceAssembly } from '@drawbridge/service';
import { type FlowNeeds } from './begin-authorization.js';
import { connectPages } from './connect-pages.js';
import { connectSessions } from './connect-sessions.js';

/** The RPCs of connect sessions, and those of their page. */
export const connectRpcs = (needs: FlowNeeds): ServiceAssembly['rpcs'] => [
  expose(ConnectSessionServiceDefinition, connectSessions(needs)),
  expose(ConnectPageServiceDefinition, connectPages(needs)),
];
