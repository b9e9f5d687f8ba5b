import { type JsonObject, type JsonValue, listAt, member } from '@drawbridge/piece-kit';
import { type Fields, pickFields, same } from '../pick-fields.js';

const TICKET: Fields = {
  ...same('id', 'subject', 'description', 'status', 'priority', 'type', 'tags', 'requester_id', 'assignee_id'),
  ...same('group_id', 'organization_id', 'custom_fields', 'created_at', 'updated_at'),
  channel: 'via.channel',
};

/** Returns the short form of a ticket: https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#json-format */
export function toTicket(ticket: JsonValue): JsonObject {
  return pickFields(ticket, TICKET);
}

/** Returns the ticket in a response. */
export function ticketIn(response: JsonValue): JsonObject {
  return toTicket(member(response, 'ticket') ?? null);
}

/** Converts `{"123": "x"}` to the list that Zendesk expects. */
export function toCustomFields(fields: JsonObject | undefined): JsonValue[] | undefined {
  return fields && Object.entries(fields).map(([id, value]) => ({ id: Number(id), value }));
}

const USER: Fields = same('id', 'name', 'email', 'role', 'phone', 'organization_id', 'tags', 'created_at', 'suspended');

/** Returns the short form of a user: https://developer.zendesk.com/api-reference/ticketing/users/users/#json-format */
export const toUser = (user: JsonValue): JsonObject => pickFields(user, USER);

const COMMENT: Fields = same('id', 'type', 'author_id', 'body', 'public', 'created_at');

/** Returns the fields of a comment that the output contains, with its attachments. */
export function toComment(comment: JsonValue): JsonObject {
  const attachments = listAt(comment, 'attachments').map((one) =>
    pickFields(one, same('id', 'file_name', 'content_type', 'size', 'content_url')),
  );
  return { ...pickFields(comment, COMMENT), attachments };
}
