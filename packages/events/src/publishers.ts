import { SERVICE_TABLE, type ServiceName, SERVICES } from '@drawbridge/contracts';
import { type EventPayload } from './outbox-row.js';

/** The services that publish each event. A new payload does not compile until it is listed here. */
export const PUBLISHERS: Readonly<Record<EventPayload['$case'], readonly ServiceName[]>> = {
  workspaceDeleted: ['members'],
  planChanged: ['members'],
  connectionDeleted: ['connections'],
  endUserDeleted: ['connections'],
  connectionError: ['connections'],
  connectionReconnected: ['connections'],
  actionExecuted: ['execution'],
  approvalRequested: ['approvals'],
  approvalApproved: ['approvals'],
  approvalRejected: ['approvals'],
  approvalCanceled: ['approvals'],
  approvalExpired: ['approvals'],
  approvalNotified: ['approvals'],
  triggerReceived: ['triggers'],
  triggerDisabled: ['triggers'],
  instanceRenamed: ['catalog'],
  instanceDeleted: ['catalog'],
  partialDeleted: ['catalog'],
  bearerShared: ['mcp'],
  bearerWithdrawn: ['mcp'],
  auditRecorded: SERVICES.filter((service) => SERVICE_TABLE[service].hasDatabase),
};

/** Returns whether the service publishes any events. */
export function isPublisher(service: ServiceName): boolean {
  return Object.values(PUBLISHERS).some((services) => services.includes(service));
}
