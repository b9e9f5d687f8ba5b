import type { ServiceName } from '@drawbridge/contracts';
import { type EventPayload } from './new-event.js';

/** Whose fact each event is: a new payload does not compile until it is said here. */
export const PUBLISHERS: Readonly<Record<EventPayload['$case'], ServiceName>> = {
  workspaceDeleted: 'members',
  connectionDeleted: 'connections',
  actionExecuted: 'execution',
};

/** Does it ever have an event for others? */
export function isPublisher(service: ServiceName): boolean {
  return Object.values(PUBLISHERS).includes(service);
}
