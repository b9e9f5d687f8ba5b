export {
  actorOf,
  auditEvent,
  type AuditedChange,
  type AuditedUser,
  denialEvent,
  operatorEvent,
} from './audit-event.js';
export { denials } from './denials.js';
export type { Bus, Handler, Log, Message, Topic } from './bus.js';
export { topicOf } from './bus.js';
export type { Effects, EventOf } from './consume-once.js';
export { subscribe } from './consume-once.js';
export { inTransaction } from './in-transaction.js';
export { openBus } from './open-bus.js';
export { type Outbox, outbox } from './outbox.js';
export { type EventPayload, eventValues, insertEvent, insertEvents, type NewEvent, newEvent } from './outbox-row.js';
export type { OutboxRelay } from './outbox-relay.js';
export { outboxRelay } from './outbox-relay.js';
export { isPublisher } from './publishers.js';
export { repeat } from './repeat.js';
export { eventRules, olderThan, retention, type RetentionRule, workspaceRule } from './retention.js';
export { EVENT_TABLES, type TableMigration, WORKSPACE_TABLES } from './tables.js';
export { type EmptyWorkspace, type WorkspaceGuard, workspaceGuard } from './workspace-guard.js';
